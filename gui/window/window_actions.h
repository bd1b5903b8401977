#pragma once

#include "gui/jobs/audit_files.h"
#include "gui/session/audit_session.h"
#include "gui/window/action_table.h"

#include <QList>
#include <QObject>

#include <map>
#include <vector>

class QAction;
class QComboBox;
class QMainWindow;
class QMenu;

namespace assay {

class Commands;
class PanelDocks;
class Review;
class Theme;
class Tour;
class Workspaces;

/// What the actions of the window act on; all outlive them.
struct WindowParts {
    AuditSession* session;
    Commands* commands;
    PanelDocks* docks;
    Workspaces* workspaces;
    Review* review;
    Tour* tour;
};

/// Menus, toolbar and shortcuts of the main window. What needs a question first goes to the commands, the rest straight
/// to the session.
class WindowActions : public QObject {
    Q_OBJECT

public:
    WindowActions(QMainWindow* window, Theme* theme, const WindowParts& parts);

    /// The action of a row of the table, by its id. Precondition: there is such a row.
    QAction* action(const QString& id) const;

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Made {
        QAction* action;
        ActionRow row;
    };

    /// Every action but those that are made elsewhere: undo, redo, the panels, the recent audits.
    std::vector<ActionRow> table();
    void appendReviewRows(std::vector<ActionRow>& rows);
    void appendTagRows(std::vector<ActionRow>& rows);
    void makeMenus();
    void makeUndo(QMenu* menu);
    void addToggles(QMenu* menu);
    void listRecent(const QList<AuditFiles>& audits);
    void make(const ActionRow& row);
    void appendWorkspaceRows(std::vector<ActionRow>& rows);
    /// Lists a person's own workspaces.
    void listWorkspaces();
    void makeToolBar();
    void refresh();

    QMainWindow* window_;
    Theme* theme_;
    AuditSession* session_;
    Commands* commands_;
    PanelDocks* docks_;
    Workspaces* workspaces_;
    Review* review_;
    Tour* tour_;
    std::map<MenuId, QMenu*> menus_;
    std::vector<Made> made_;
    QAction* undo_ = nullptr;
    QAction* redo_ = nullptr;
    QComboBox* model_ = nullptr;
    std::vector<QAction*> ownWorkspaces_;
    SelectedSamples selected_; ///< when the actions were refreshed last
};

} // namespace assay

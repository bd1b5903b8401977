#pragma once

#include "gui/jobs/audit_files.h"
#include "gui/session/audit_session.h"

#include <QKeySequence>
#include <QList>
#include <QObject>

#include <functional>
#include <map>
#include <vector>

class QAction;
class QComboBox;
class QMainWindow;
class QMenu;

namespace assay {

class Commands;
class Panel;
class PanelDocks;
class Review;
class Theme;
class Tour;
class Workspaces;

/// The menus, in the order of the menu bar, and those that open out of them.
enum class MenuId { File, Edit, Select, Audit, View, Help, Recent, Export, Tags, Tagged, Workspaces, Theme };

/// How an action looks, and when it can be used.
struct ActionTraits {
    QString icon{};
    QList<QKeySequence> keys{};
    QString tip{};
    QString searchWords{};            ///< what else people look for it by
    std::function<bool()> enabled{};  ///< empty: while a model is shown
    bool anytime = false;             ///< nothing disables it
    std::function<bool()> checked{};  ///< empty: it cannot be
    std::function<QString()> named{}; ///< its text where that changes
    bool repeats = true;              ///< while its key is held down
    bool separated = false;           ///< by a line from the action before it
};

/// A shortcut by its name: "Ctrl+L".
inline QKeySequence key(const char* name) {
    return QKeySequence(QString::fromLatin1(name));
}

/// What the actions of the window act on; all outlive them.
struct WindowParts {
    AuditSession* session;
    Commands* commands;
    PanelDocks* docks;
    Workspaces* workspaces;
    Review* review;
    Tour* tour;
};

/// Menus, toolbar and shortcuts of the main window. The commands get what needs a question, the session the rest.
class WindowActions : public QObject {
    Q_OBJECT

public:
    WindowActions(QMainWindow* window, Theme* theme, const WindowParts& parts);

    /// An action of the menus by its id. Precondition: there is one.
    QAction* action(const QString& id) const;

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Made {
        QAction* action;
        ActionTraits traits;
    };

    void makeMenus();
    /// Adds an action to a menu. @param id object name, by which tests and the tool bar know it
    void add(MenuId menu, const QString& id, const QString& text, const std::function<void()>& does,
             const ActionTraits& traits = {});
    void addMenu(MenuId menu, MenuId opened, const QString& id, const QString& text, const ActionTraits& traits = {});
    void make(QAction* action, const QString& id, ActionTraits traits);
    std::function<void()> asks(void (Commands::*does)()) const;
    void addUndo(QMenu* menu);
    void addFileActions();
    void addEditActions();
    void addReviewActions();
    void addSelectActions();
    void addAuditActions();
    void addViewActions();
    void addHelpActions();
    void addWorkspaceActions();
    void addTagActions();
    void listRecent(const QList<AuditFiles>& audits);
    /// Lists a person's own workspaces.
    void listWorkspaces();
    void makeToolBar();
    /// The menu of the right mouse button on a panel, for the selected samples and the panel's figure; selects a sample
    /// under the pointer first.
    QMenu* makePanelMenu(Panel* view);
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
    std::map<QString, Made> made_;
    QAction* undo_ = nullptr;
    QAction* redo_ = nullptr;
    QComboBox* model_ = nullptr;
    std::vector<QAction*> ownWorkspaces_;
    SelectedSamples selected_; ///< when the actions were refreshed last
};

} // namespace assay

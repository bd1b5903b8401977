#pragma once

#include "engine/report/samples/export_request.h"
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

class PanelDocks;
class Review;
class Theme;

/// Menus, toolbar and shortcuts of the main window. What concerns the audit goes straight to the session; what needs
/// is requested from the window by signals.
class WindowActions : public QObject {
    Q_OBJECT

public:
    WindowActions(QMainWindow* window, AuditSession* session, Theme* theme, PanelDocks* docks, Review* review);

    void setRecentAudits(const QList<AuditFiles>& audits);

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void openRequested();
    void openAuditRequested();
    void saveRequested();
    void saveAsRequested();
    void saveSelfContainedRequested();
    void historyRequested();
    void demoRequested();
    void addModelsRequested();
    void recentRequested(const assay::AuditFiles& files);
    void clearRecentRequested();
    /// @param format id in exportFormats()
    void exportRequested(assay::ExportWhat what, const QString& format);
    void exportDialogRequested();
    void reportRequested();
    void loadRulesRequested();
    void saveRulesRequested();
    void proposalRequested();
    void noteRequested();
    void tagNamesRequested();
    void themeChosen();
    void definitionsRequested();
    void shortcutsRequested();
    void aboutRequested();

private:
    struct Made {
        QAction* action;
        ActionRow row;
    };

    /// Every action but those that are made elsewhere: undo, redo, the panels, the recent audits.
    std::vector<ActionRow> table(PanelDocks* docks);
    void appendReviewRows(std::vector<ActionRow>& rows, PanelDocks* docks);
    void appendTagRows(std::vector<ActionRow>& rows);
    void makeMenus(PanelDocks* docks);
    void makeUndo(QMenu* menu);
    void addToggles(QMenu* menu, const PanelDocks& docks);
    void make(const ActionRow& row);
    QAction* made(const char* id) const;
    void makeToolBar();
    void refresh();

    QMainWindow* window_;
    AuditSession* session_;
    Theme* theme_;
    Review* review_;
    std::map<MenuId, QMenu*> menus_;
    std::vector<Made> made_;
    QAction* undo_ = nullptr;
    QAction* redo_ = nullptr;
    QComboBox* model_ = nullptr;
};

} // namespace assay

#pragma once

#include "engine/audit/export.h"
#include "gui/session/audit_files.h"
#include "gui/session/audit_session.h"

#include <QKeySequence>
#include <QList>
#include <QObject>

class QAction;
class QActionGroup;
class QComboBox;
class QMainWindow;
class QMenu;

namespace assay {

class PanelDocks;
class Theme;

/// Menus, toolbar and shortcuts of the main window. What concerns the audit goes straight to the session; what needs
/// the window is asked for by signals.
class WindowActions : public QObject {
    Q_OBJECT

public:
    WindowActions(QMainWindow* window, AuditSession* session, Theme* theme, PanelDocks* docks);

    void setRecentAudits(const QList<AuditFiles>& audits);

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void openRequested();
    void demoRequested();
    void addModelsRequested();
    void recentRequested(const assay::AuditFiles& files);
    void clearRecentRequested();
    void exportRequested(assay::ExportWhat what, assay::ExportFormat format);
    void reportRequested();
    void themeChosen();
    void definitionsRequested();
    void shortcutsRequested();
    void aboutRequested();

private:
    QAction* add(QMenu* menu, const QString& name, const QString& text, const QString& iconName = {},
                 const QKeySequence& shortcut = {}, const QString& tip = {});
    void makeFileMenu();
    void makeEditMenu();
    void makeSelectMenu();
    void makeTagMenu(QMenu* edit);
    void makeTaggedMenu(QMenu* select);
    void refreshTags();
    void makeAuditMenu();
    void makeViewMenu(PanelDocks* docks);
    void makeThemeMenu(QMenu* view);
    void makeHelpMenu();
    void makeToolBar();
    void refresh();

    QMainWindow* window_;
    AuditSession* session_;
    Theme* theme_;
    QMenu* recent_ = nullptr;
    QAction* open_ = nullptr;
    QAction* addModels_ = nullptr;
    QAction* undo_ = nullptr;
    QAction* redo_ = nullptr;
    QAction* clear_ = nullptr;
    QAction* showSelected_ = nullptr;
    QAction* showAll_ = nullptr;
    QAction* selectRejected_ = nullptr;
    QAction* selectByHand_ = nullptr;
    QAction* rejectByHand_ = nullptr;
    QAction* clearTags_ = nullptr;
    QAction* cancel_ = nullptr;
    QAction* export_ = nullptr;
    QComboBox* model_ = nullptr;
    QList<QAction*> giveTag_;    ///< tags 1 to 9
    QList<QAction*> selectTag_;  ///< likewise
    QList<QAction*> needModel_;  ///< enabled while there is a current model
    QList<QAction*> needModels_; ///< enabled while there are several
};

} // namespace assay

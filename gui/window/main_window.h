#pragma once

#include "gui/desktop/file_prompts.h"
#include "gui/desktop/settings.h"
#include "gui/session/audit_session.h"
#include "gui/window/panel_catalog.h"

#include <QMainWindow>

class QLabel;

namespace assay {

class Commands;
class NotesButton;
class PanelDocks;
class Review;
class ReviewBar;
class StartPage;
class Theme;
class Tour;
class WindowStateKeeper;
class Workspaces;

/// The program's window. It only assembles: panels from the catalogue, menus, status bar, start page.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// All pointers outlive the window.
    MainWindow(AuditSession* session, Theme* theme, const std::vector<PanelRow>& panels = panelCatalog(),
               FilePrompts prompts = filePrompts());

    Commands* commands() const noexcept { return commands_; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void connectSession();
    void connectStartPage();
    void makeStatusBar();
    void onStateChanged();
    /// With a mark while decisions are not saved.
    void refreshTitle();
    void refreshStatus();

    AuditSession* session_;
    Settings settings_;
    Commands* commands_;
    StartPage* startPage_;
    Review* review_;
    Tour* tour_;
    PanelDocks* docks_;
    Workspaces* workspaces_;
    WindowStateKeeper* stateKeeper_;
    QLabel* status_;
    NotesButton* notes_;
    ReviewBar* reviewBar_ = nullptr;
    bool tourWanted_ = false; ///< as soon as the demo is open
    bool closing_ = false;    ///< the person has said that decisions may be lost
};

} // namespace assay

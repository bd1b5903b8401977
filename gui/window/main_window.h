#pragma once

#include "gui/desktop/file_prompts.h"
#include "gui/desktop/settings.h"
#include "gui/session/audit_session.h"
#include "gui/window/panel_catalog.h"

#include <QMainWindow>

#include <functional>

class QLabel;

namespace assay {

struct RemovalProposal;

class NotesButton;
class PanelDocks;
class Review;
class ReviewBar;
class StartPage;
class Theme;
class WindowActions;
class WindowStateKeeper;

/// The program's window. It only assembles: panels from the catalogue, menus, status bar, start page.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// All pointers outlive the window.
    MainWindow(AuditSession* session, Theme* theme, const std::vector<Panel>& panels = panelCatalog(),
               FilePrompts prompts = filePrompts());

    /// Opens the dialog for a new audit, filled in with `files`.
    void showOpenDialog(const AuditFiles& files);
    void openManifest(const QString& file);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void connectSession();
    void connectActions();
    void makeStatusBar();
    void onStateChanged();
    void onOpened(const AuditFiles& files);
    void openRecent(const AuditFiles& files);
    void chooseModels();
    void chooseBadSamples();
    void chooseRules();
    void chooseRulesFile();
    void chooseFidelity();
    void tellProposal(const RemovalProposal& proposal);
    void addModelFiles(const QStringList& files);
    /// Asks for the file and writes samples of the current model. @param format id in exportFormats()
    void exportCurrent(ExportWhat what, const QString& format);
    void chooseExport(const ExportRequest& request);
    void showExportDialog();
    void chooseReport();
    void writeNote();
    void nameTags();
    void openAudit(const QString& file);
    void chooseAudit();
    void save();
    void chooseSave();
    void chooseSelfContained();
    /// Does what would lose the decisions; where some are not in any report, once the person has said so.
    void leaveDecisions(const QString& what, const std::function<void()>& act);
    void showError(const QString& title, const QString& message);
    void refreshRecent();
    void refreshStatus();

    AuditSession* session_;
    Theme* theme_;
    FilePrompts prompts_;
    Settings settings_;
    StartPage* startPage_;
    Review* review_;
    PanelDocks* docks_;
    WindowStateKeeper* stateKeeper_;
    WindowActions* actions_;
    QLabel* status_;
    NotesButton* notes_;
    ReviewBar* reviewBar_ = nullptr;
    bool closing_ = false; ///< the person has said that decisions may be lost
};

} // namespace assay

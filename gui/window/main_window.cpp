#include "gui/window/main_window.h"

#include "gui/desktop/icons.h"
#include "gui/desktop/theme.h"
#include "gui/pages/export_dialog.h"
#include "gui/pages/help_browser.h"
#include "gui/pages/help_windows.h"
#include "gui/pages/history_window.h"
#include "gui/pages/open_dialog.h"
#include "gui/pages/start_page.h"
#include "gui/pages/tag_names_dialog.h"
#include "gui/session/error_text.h"
#include "gui/session/review.h"
#include "gui/session/tour.h"
#include "gui/status/job_indicator.h"
#include "gui/status/notes_button.h"
#include "gui/status/status_text.h"
#include "gui/window/filter_bar.h"
#include "gui/window/panel_docks.h"
#include "gui/window/panel_menu.h"
#include "gui/window/review_bar.h"
#include "gui/window/tour_bar.h"
#include "gui/window/window_actions.h"
#include "gui/window/window_state_keeper.h"
#include "gui/window/workspaces.h"
#include "widgets/common/eliding_label.h"
#include "widgets/common/number_format.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/link/sample_selection.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/io/sets/manifest.h"
#include "engine/subsets/curves/removal.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>
#include <QUrl>

#include <algorithm>
#include <chrono>
#include <utility>

namespace assay {
namespace {

constexpr int kErrorWidth = 480;
constexpr std::chrono::seconds kBackground{1}; // before background work is shown that the person did not start

QStringList localFiles(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile() && QFileInfo::exists(url.toLocalFile())) // also folders, which come with a slash
            files << QDir::cleanPath(url.toLocalFile());
    return files;
}

/// Shows a window of its own, in front.
HelpBrowser* bringUp(HelpBrowser* help) {
    help->show();
    help->raise();
    help->activateWindow();
    return help;
}

/// Size available to a window on a screen, without the frame that it gets when shown.
QSize roomOf(const QScreen& screen, const QStyle& style) {
    const int border = 2 * style.pixelMetric(QStyle::PM_MdiSubWindowFrameWidth);
    return screen.availableSize() - QSize(border, border + style.pixelMetric(QStyle::PM_TitleBarHeight));
}

} // namespace

MainWindow::MainWindow(AuditSession* session, Theme* theme, const std::vector<Panel>& panels, FilePrompts prompts)
    : session_(session), theme_(theme), prompts_(std::move(prompts)), startPage_(new StartPage),
      review_(new Review(session, this)), tour_(new Tour(session, this)),
      docks_(new PanelDocks(this, panels, session, review_)), workspaces_(new Workspaces(docks_, this)),
      stateKeeper_(new WindowStateKeeper(this, docks_, workspaces_, session)),
      actions_(new WindowActions(this, session, theme, docks_, workspaces_, review_, tour_)), status_(new ElidingLabel),
      notes_(new NotesButton) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Assay"));
    setWindowIcon(icon(QStringLiteral("assay")));
    setAcceptDrops(true);
    setCentralWidget(startPage_);
    addToolBarBreak();
    addToolBar(new FilterBar(session_, this));
    addToolBarBreak();
    reviewBar_ = new ReviewBar(review_, this);
    addToolBar(reviewBar_);
    addToolBarBreak();
    addToolBar(new TourBar(
        tour_,
        [this](std::size_t model) { return QString::fromStdString(session_->state().audit->models[model]->name); },
        this));
    makeStatusBar();
    connectSession();
    connectActions();
    refreshRecent();
    if (!restoreGeometry(settings_.geometry()))
        resize(QSize(1440, 900).boundedTo(roomOf(*screen(), *style())));
    onStateChanged();
}

void MainWindow::makeStatusBar() {
    status_->setObjectName(QStringLiteral("status"));
    status_->setIndent(6);
    statusBar()->addWidget(status_, 1);
    statusBar()->addPermanentWidget(notes_);
    statusBar()->addPermanentWidget(
        new JobIndicator({{session_->jobs()},
                          {session_->exports()->jobs(), [this] { session_->exports()->cancel(); }},
                          {session_->projector()->jobs(), [this] { session_->projector()->stop(); }, kBackground},
                          {session_->keptScorer()->jobs(), [this] { session_->keptScorer()->stop(); }, kBackground}}));
}

/// Qt's own walk (6.4) enters covered panels, and stays at the buttons of the ranking, of which one is down at a time.
bool MainWindow::focusNextPrevChild(bool next) {
    QWidget* begin = focusWidget() ? focusWidget() : this;
    const auto step = [next](const QWidget* from) {
        return next ? from->nextInFocusChain() : from->previousInFocusChain();
    };
    for (QWidget* stop = step(begin); stop != begin; stop = step(stop)) {
        if ((stop->focusPolicy() & Qt::TabFocus) == 0 || stop->focusProxy() != nullptr || stop->window() != this ||
            !stop->isVisible() || !stop->isEnabled() || docks_->isCovered(stop))
            continue;
        stop->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
        if (stop->hasFocus())
            return true;
    }
    return false;
}

void MainWindow::connectSession() {
    connect(session_, &AuditSession::stateChanged, this, &MainWindow::onStateChanged);
    connect(session_->selection(), &SampleSelection::changed, this, &MainWindow::refreshStatus);
    connect(session_, &AuditSession::busyChanged, this, [this] {
        // Not of the first scores: the whole audit, which follows, would end the tour.
        if (!session_->jobs()->isRunning() && std::exchange(tourWanted_, false))
            QTimer::singleShot(0, tour_, &Tour::start); // once every panel shows the audit
    });
    connect(session_, &AuditSession::opened, this, &MainWindow::onOpened);
    connect(session_, &AuditSession::failed, this, &MainWindow::showError);
    connect(session_, &AuditSession::exported, this,
            [this](const QString& file) { statusBar()->showMessage(tr("Wrote %1").arg(file), 8000); });
    connect(session_->jobs(), &JobRunner::started, startPage_, &StartPage::showJob);
    const auto showNoJob = [this] { startPage_->showJob({}); };
    connect(session_->jobs(), &JobRunner::finished, startPage_, showNoJob);
    connect(session_->jobs(), &JobRunner::cancelled, startPage_, showNoJob);
    connect(session_->jobs(), &JobRunner::failed, startPage_, showNoJob);
    for (const JobRunner* runner : {session_->jobs(), session_->exports()->jobs()})
        connect(runner, &JobRunner::cancelled, this,
                [this, runner] { statusBar()->showMessage(tr("Cancelled: %1").arg(runner->title()), 5000); });
}

void MainWindow::connectActions() {
    const auto open = [this] { showOpenDialog(session_->filesToOffer().value_or(AuditFiles{})); };
    connect(startPage_, &StartPage::openRequested, this, open);
    connect(startPage_, &StartPage::demoRequested, session_, &AuditSession::openDemo);
    connect(startPage_, &StartPage::tourRequested, this, [this] {
        tourWanted_ = true;
        session_->openDemo();
    });
    connect(startPage_, &StartPage::filesHelpRequested, this, [this] { showHelpPage(QStringLiteral("formats")); });
    connect(actions_, &WindowActions::demoRequested, this,
            [this] { leaveDecisions(tr("Opening the demo"), [this] { session_->openDemo(); }); });
    connect(startPage_, &StartPage::recentRequested, this, &MainWindow::openRecent);
    connect(actions_, &WindowActions::openRequested, this, open);
    connect(actions_, &WindowActions::openAuditRequested, this, &MainWindow::chooseAudit);
    connect(actions_, &WindowActions::saveRequested, this, &MainWindow::save);
    connect(actions_, &WindowActions::saveAsRequested, this, &MainWindow::chooseSave);
    connect(actions_, &WindowActions::saveSelfContainedRequested, this, &MainWindow::chooseSelfContained);
    connect(actions_, &WindowActions::historyRequested, this, [this] { makeHistoryWindow(this, session_)->show(); });
    connect(actions_, &WindowActions::addModelsRequested, this, &MainWindow::chooseModels);
    connect(actions_, &WindowActions::recentRequested, this, &MainWindow::openRecent);
    connect(actions_, &WindowActions::clearRecentRequested, this, [this] {
        settings_.clearRecentAudits();
        refreshRecent();
    });
    connect(actions_, &WindowActions::exportRequested, this, &MainWindow::exportCurrent);
    connect(actions_, &WindowActions::exportDialogRequested, this, &MainWindow::showExportDialog);
    connect(actions_, &WindowActions::reportRequested, this, &MainWindow::chooseReport);
    connect(docks_, &PanelDocks::menuRequested, this, [this](LinkedView* view, const QPoint& point) {
        const PanelMenuWishes wishes{
            [this] { docks_->showPanel(QStringLiteral("inspector")); },
            [this](const QString& suggested, const QString& filter) {
                return prompts_.save(this, tr("Save figure"), suggested, filter);
            },
            [this](const QString& title, const QString& message) { showError(title, message); }};
        makePanelMenu(this, session_, view, wishes)->popup(point);
    });
    connect(docks_, &PanelDocks::badSamplesRequested, this, &MainWindow::chooseBadSamples);
    connect(actions_, &WindowActions::loadRulesRequested, this, &MainWindow::chooseRules);
    connect(actions_, &WindowActions::saveRulesRequested, this, &MainWindow::chooseRulesFile);
    connect(docks_, &PanelDocks::loadRulesRequested, this, &MainWindow::chooseRules);
    connect(docks_, &PanelDocks::saveRulesRequested, this, &MainWindow::chooseRulesFile);
    connect(docks_, &PanelDocks::proposalRequested, this, &MainWindow::chooseFidelity);
    connect(actions_, &WindowActions::proposalRequested, this, &MainWindow::chooseFidelity);
    connect(session_, &AuditSession::removalProposed, this, &MainWindow::tellProposal);
    connect(docks_, &PanelDocks::exportRequested, this,
            [this](ExportWhat what) { exportCurrent(what, QStringLiteral("csv")); });
    connect(actions_, &WindowActions::noteRequested, this, &MainWindow::writeNote);
    connect(actions_, &WindowActions::tagNamesRequested, this, &MainWindow::nameTags);
    connect(actions_, &WindowActions::saveWorkspaceRequested, this, &MainWindow::saveWorkspace);
    connect(actions_, &WindowActions::themeChosen, this, [this] { settings_.setTheme(theme_->choice()); });
    connect(actions_, &WindowActions::helpRequested, this, &MainWindow::showHelp);
    connect(actions_, &WindowActions::definitionsRequested, this, [this] { makeDefinitionsWindow(this)->show(); });
    connect(actions_, &WindowActions::shortcutsRequested, this, [this] { makeShortcutsWindow(this)->show(); });
    connect(actions_, &WindowActions::aboutRequested, this, [this] { makeAboutWindow(this)->show(); });
}

void MainWindow::onStateChanged() {
    const bool changes = session_->isOpen() != docks_->isShown();
    if (changes)
        startPage_->setVisible(!session_->isOpen());
    stateKeeper_->follow();
    if (changes)
        reviewBar_->refresh(); // the layout may be of a review that has ended
    const QString file = QFileInfo(session_->auditFile()).fileName();
    const QString name = !session_->isOpen() ? QString()
                         : !file.isEmpty()   ? file
                                             : QString::fromStdString(session_->state().audit->real->set->name());
    setWindowTitle(name.isEmpty() ? tr("Assay") : tr("%1 \u2013 Assay").arg(name));
    notes_->setNotes(session_->isOpen() ? notesOf(*session_->state().audit) : QStringList());
    refreshStatus();
}

void MainWindow::refreshStatus() {
    status_->setText(statusText(*session_));
}

void MainWindow::onOpened(const AuditFiles& files) {
    settings_.addRecentAudit(files);
    refreshRecent();
    onStateChanged(); // the audit may have got a file
}

void MainWindow::refreshRecent() {
    const QList<AuditFiles> audits = settings_.recentAudits();
    startPage_->setRecentAudits(audits);
    actions_->setRecentAudits(audits);
}

void MainWindow::openRecent(const AuditFiles& files) {
    const QString missing = missingFile(files);
    if (missing.isEmpty()) {
        leaveDecisions(tr("Opening another audit"), [this, files] { session_->open(files); });
        return;
    }
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Recent audit"), tr("%1 is not there any more.").arg(missing),
                                QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("missingFile"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* remove = box->addButton(tr("Remove from the list"), QMessageBox::DestructiveRole);
    QPushButton* choose = box->addButton(tr("Choose files\u2026"), QMessageBox::AcceptRole);
    connect(remove, &QPushButton::clicked, this, [this, files] {
        settings_.removeRecentAudit(files);
        refreshRecent();
    });
    connect(choose, &QPushButton::clicked, this, [this, files] { showOpenDialog(files); });
    box->open();
}

void MainWindow::showOpenDialog(const AuditFiles& files) {
    auto* dialog = new OpenDialog(prompts_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFiles(files);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        leaveDecisions(tr("Opening another audit"), [this, files = dialog->files()] { session_->open(files); });
    });
    dialog->open();
}

void MainWindow::chooseModels() {
    addModelFiles(prompts_.openMany(this, tr("Add models")));
}

void MainWindow::chooseBadSamples() {
    const QString file = prompts_.openOne(this, tr("Bad samples for the curve of the bad fraction"));
    if (!file.isEmpty())
        session_->computeBadFraction(file);
}

void MainWindow::addModelFiles(const QStringList& files) {
    QStringList taken;
    for (const auto& model : session_->state().audit->models)
        taken << QString::fromStdString(model->name);
    QStringList sets;
    for (const QString& file : files) {
        if (isNamedManifest(file.toStdString()))
            showError(tr("Adding %1").arg(QFileInfo(file).fileName()), manifestWords(file));
        else
            sets << file;
    }
    if (!sets.isEmpty())
        session_->addModels(namedModels(sets, taken));
}

void MainWindow::exportCurrent(ExportWhat what, const QString& format) {
    chooseExport({what, {}, {session_->state().model}, format.toStdString()});
}

void MainWindow::chooseExport(const ExportRequest& request) {
    const QString file = askExportFile(prompts_, this, *session_->state().audit, request);
    if (!file.isEmpty())
        session_->exportSamples(request, file);
}

void MainWindow::showExportDialog() {
    auto* dialog = new ExportDialog(session_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::exportRequested, this, &MainWindow::chooseExport);
    dialog->open();
}

void MainWindow::chooseReport() {
    const QString name =
        QStringLiteral("%1.audit.html").arg(QString::fromStdString(session_->state().audit->real->set->name()));
    const QString file =
        prompts_.save(this, tr("Export the report of the audit"), name,
                      tr("HTML, one page for every browser (*.html *.htm);;PDF, to print or hand on (*.pdf);;"
                         "Markdown, for a model card (*.md);;JSON, all scores for others to check (*.json)"));
    if (!file.isEmpty())
        session_->exportReport(file);
}

void MainWindow::chooseRules() {
    const QString file = prompts_.openFile(this, tr("Load rules"), tr("Rules (*.json);;All files (*)"));
    if (!file.isEmpty())
        session_->loadRules(file);
}

void MainWindow::chooseRulesFile() {
    const QString file = prompts_.save(this, tr("Save the rules"), tr("rules.json"), tr("Rules (*.json)"));
    if (!file.isEmpty())
        session_->saveRules(file);
}

void MainWindow::writeNote() {
    docks_->showPanel(QStringLiteral("inspector"));
    if (auto* inspector = findChild<InspectorView*>())
        inspector->editNote();
}

void MainWindow::nameTags() {
    const auto& names = session_->state().tagNames;
    auto* dialog = new TagNamesDialog(names ? *names : TagNames(), this);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { session_->nameTags(dialog->names()); });
    dialog->open();
}

void MainWindow::chooseFidelity() {
    const ViewState& state = session_->state();
    if (!state.hasModel())
        return;
    const double now = state.current().metric("clipped_density");
    const double good = state.audit->heldOut ? state.audit->heldOut->audit->metric("clipped_density") : 1.0;
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName(QStringLiteral("wantedFidelity"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Propose what to remove"));
    dialog->setLabelText((state.audit->heldOut ? tr("Wanted clipped density (%1 now, held-out samples %2):")
                                               : tr("Wanted clipped density (%1 now, like real samples: %2):"))
                             .arg(formatValue(now, Unit::Ratio), formatValue(good, Unit::Ratio)));
    dialog->setInputMode(QInputDialog::DoubleInput);
    dialog->setDoubleDecimals(3);
    dialog->setDoubleRange(0.0, 100.0);
    dialog->setDoubleStep(0.01);
    dialog->setDoubleValue(std::max(now, good));
    connect(dialog, &QInputDialog::doubleValueSelected, session_, &AuditSession::proposeRemoval);
    dialog->open();
}

void MainWindow::tellProposal(const RemovalProposal& proposal) {
    const ViewState& state = session_->state();
    QString text;
    if (proposal.rows.empty())
        text = tr("Nothing has to be removed: clipped density is %1.").arg(formatValue(proposal.fidelity, Unit::Ratio));
    else
        text =
            (proposal.reached ? tr("Without these %1 samples clipped density is %2.")
                              : tr("No removal reaches that. Nearest: without these %1 samples clipped density is %2."))
                .arg(formatCount(proposal.rows.size()), formatValue(proposal.fidelity, Unit::Ratio)) +
            tr("\nCoverage falls from %1 to %2; removing the %3 least faithful ones would leave %4.")
                .arg(formatValue(state.current().metric("coverage"), Unit::Share),
                     formatValue(proposal.coverage, Unit::Share), formatCount(proposal.fidelityOnlyCount),
                     formatValue(proposal.plainCoverage, Unit::Share));
    auto* box = new QMessageBox(QMessageBox::Information, tr("Proposal"), text, QMessageBox::Ok, this);
    box->setObjectName(QStringLiteral("proposal"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    if (!proposal.rows.empty()) {
        box->setInformativeText(tr("They are selected: Space rejects them, and Ctrl+Z takes that back."));
        QPushButton* reject = box->addButton(tr("Reject them"), QMessageBox::AcceptRole);
        reject->setObjectName(QStringLiteral("rejectProposal"));
        connect(reject, &QPushButton::clicked, session_, [this] { session_->toggleByHand(HandVerdict::Rejected); });
    }
    box->open();
}

void MainWindow::openAudit(const QString& file) {
    AuditFiles files;
    files.audit = file;
    leaveDecisions(tr("Opening another audit"), [this, files] { session_->open(files); });
}

void MainWindow::chooseAudit() {
    const QString file =
        prompts_.openFile(this, tr("Open an audit file"), tr("Audits of Assay (*.assay);;All files (*)"));
    if (!file.isEmpty())
        openAudit(file);
}

HelpBrowser* MainWindow::helpBrowser() {
    auto* help = findChild<HelpBrowser*>();
    if (help == nullptr) {
        help = new HelpBrowser(this);
        connect(help, &HelpBrowser::definitionsRequested, this, [this] { makeDefinitionsWindow(this)->show(); });
    }
    return help;
}

void MainWindow::showHelp() {
    const QString panel = docks_->panelOf(QApplication::focusWidget());
    bringUp(helpBrowser())->showPanel(panel);
}

void MainWindow::showHelpPage(const QString& document) {
    bringUp(helpBrowser())->showDocument(document);
}

void MainWindow::saveWorkspace() {
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName(QStringLiteral("workspaceName"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save workspace"));
    dialog->setLabelText(tr("Name of the workspace:"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        if (!workspaces_->saveAs(name))
            showError(tr("Saving the workspace"),
                      tr("\"%1\" cannot be the name of a workspace of your own. Choose another one.").arg(name));
    });
    dialog->open();
}

void MainWindow::save() {
    if (session_->auditFile().isEmpty() || !session_->keepingProblem().isEmpty()) {
        chooseSave();
        return;
    }
    session_->keepNow();
    if (session_->keepingProblem().isEmpty())
        statusBar()->showMessage(tr("Saved to %1").arg(session_->auditFile()), 5000);
}

void MainWindow::chooseSave() {
    const QString name =
        QStringLiteral("%1.assay").arg(QString::fromStdString(session_->state().audit->real->set->name()));
    const QString file = prompts_.save(this, tr("Save the audit"), name, tr("Audits of Assay (*.assay)"));
    if (!file.isEmpty())
        session_->saveAudit(isNamedAuditFile(file) ? file : file + QStringLiteral(".assay"));
}

void MainWindow::chooseSelfContained() {
    const QString name =
        QStringLiteral("%1-complete.assay").arg(QString::fromStdString(session_->state().audit->real->set->name()));
    const QString file =
        prompts_.save(this, tr("Save a copy with embeddings and pictures"), name, tr("Audits of Assay (*.assay)"));
    if (!file.isEmpty())
        session_->saveSelfContained(isNamedAuditFile(file) ? file : file + QStringLiteral(".assay"));
}

void MainWindow::leaveDecisions(const QString& what, const std::function<void()>& act) {
    if (!session_->hasUnsavedDecisions()) {
        act();
        return;
    }
    auto* box = new QMessageBox(QMessageBox::Question, tr("Assay"), tr("%1 discards your decisions").arg(what),
                                QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("unsavedDecisions"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("Rules, verdicts by hand, tags and notes have not been saved."));
    QPushButton* keep = box->addButton(tr("Save the audit\u2026"), QMessageBox::AcceptRole);
    keep->setObjectName(QStringLiteral("saveDecisions"));
    QPushButton* report = box->addButton(tr("Export a report\u2026"), QMessageBox::AcceptRole);
    QPushButton* lose = box->addButton(tr("Discard"), QMessageBox::DestructiveRole);
    report->setObjectName(QStringLiteral("exportDecisions"));
    lose->setObjectName(QStringLiteral("loseDecisions"));
    box->setDefaultButton(keep);
    connect(keep, &QPushButton::clicked, this, &MainWindow::chooseSave);
    connect(report, &QPushButton::clicked, this, &MainWindow::chooseReport);
    connect(lose, &QPushButton::clicked, this, act);
    box->open();
}

void MainWindow::showError(const QString& title, const QString& message) {
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Assay"), tr("%1 failed").arg(title), QMessageBox::Ok, this);
    box->setObjectName(QStringLiteral("error"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(errorText(message));
    box->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // Messages name whole paths: a box as narrow as its title would break them into shreds.
    auto* grid = static_cast<QGridLayout*>(box->layout());
    grid->addItem(new QSpacerItem(kErrorWidth, 0), grid->rowCount(), 0, 1, grid->columnCount());
    box->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList files = localFiles(event->mimeData());
    if (files.isEmpty())
        return;
    event->acceptProposedAction();
    if (files.size() == 1 && isNamedAuditFile(files.front()))
        openAudit(files.front());
    else if (files.size() == 1 && isNamedManifest(files.front().toStdString()))
        openManifest(files.front());
    else if (session_->isOpen())
        addModelFiles(files);
    else
        showOpenDialog(guessRoles(files));
}

/// With the choice shown before anything is opened.
void MainWindow::openManifest(const QString& file) {
    try {
        showOpenDialog(manifestFiles(file));
    } catch (const Error& error) {
        showError(tr("Opening %1").arg(QFileInfo(file).fileName()), QString::fromUtf8(error.what()));
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!closing_ && session_->hasUnsavedDecisions()) {
        event->ignore();
        leaveDecisions(tr("Closing the window"), [this] {
            closing_ = true;
            close();
        });
        return;
    }
    settings_.setGeometry(saveGeometry());
    stateKeeper_->keepNow();
    QMainWindow::closeEvent(event);
}

} // namespace assay

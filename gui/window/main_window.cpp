#include "gui/window/main_window.h"

#include "gui/commands/commands.h"
#include "gui/desktop/icons.h"
#include "gui/pages/start_page.h"
#include "gui/session/review.h"
#include "gui/session/tour.h"
#include "gui/status/audit_status.h"
#include "gui/status/job_indicator.h"
#include "gui/window/info_bars.h"
#include "gui/window/panel_docks.h"
#include "gui/window/window_actions.h"
#include "gui/window/window_state_keeper.h"
#include "gui/window/workspaces.h"
#include "widgets/common/labels.h"
#include "widgets/link/sample_selection.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/embedding_set.h"
#include "widgets/common/controls.h"

#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>
#include <QUrl>

#include <chrono>
#include <utility>

namespace assay {
namespace {

constexpr std::chrono::seconds kBackground{1}; // before background work is shown that the person did not start

QStringList localFiles(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile() && QFileInfo::exists(url.toLocalFile())) // also folders, which come with a slash
            files << QDir::cleanPath(url.toLocalFile());
    return files;
}

QList<HelpedPanel> helped(const std::vector<PanelRow>& panels) {
    QList<HelpedPanel> pages;
    for (const PanelRow& panel : panels)
        pages.push_back({panel.id, panel.title});
    return pages;
}

/// Size available to a window on a screen, without the frame that it gets when shown.
QSize roomOf(const QScreen& screen, const QStyle& style) {
    const int border = 2 * style.pixelMetric(QStyle::PM_MdiSubWindowFrameWidth);
    return screen.availableSize() - QSize(border, border + style.pixelMetric(QStyle::PM_TitleBarHeight));
}

} // namespace

MainWindow::MainWindow(AuditSession* session, Theme* theme, const std::vector<PanelRow>& panels, FilePrompts prompts)
    : session_(session), commands_(new Commands(this, session, std::move(prompts), helped(panels))),
      startPage_(new StartPage), review_(new Review(session, this)), tour_(new Tour(session, this)),
      docks_(new PanelDocks(this, panels, session, commands_, review_)), workspaces_(new Workspaces(docks_, this)),
      stateKeeper_(new WindowStateKeeper(this, docks_, workspaces_, session)), status_(named<ElidingLabel>("status")),
      notes_(new NotesButton) {
    const auto* actions = new WindowActions(this, theme, {session, commands_, docks_, workspaces_, review_, tour_});
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Assay"));
    setWindowIcon(icon(QStringLiteral("assay")));
    setAcceptDrops(true);
    setCentralWidget(startPage_);
    reviewBar_ = new ReviewBar(review_, *actions, this);
    const auto modelName = [this](std::size_t model) {
        return QString::fromStdString(session_->state().audit->models[model]->name);
    };
    for (QToolBar* bar : {static_cast<QToolBar*>(new FilterBar(session_, this)), static_cast<QToolBar*>(reviewBar_),
                          static_cast<QToolBar*>(new TourBar(tour_, modelName, this))}) {
        addToolBarBreak();
        addToolBar(bar);
    }
    makeStatusBar();
    connectSession();
    connectStartPage();
    if (!restoreGeometry(settings_.geometry()))
        resize(QSize(1440, 900).boundedTo(roomOf(*screen(), *style())));
    onStateChanged();
}

void MainWindow::makeStatusBar() {
    status_->setIndent(6);
    statusBar()->addWidget(status_, 1);
    statusBar()->addPermanentWidget(notes_);
    std::vector<JobIndicator::Source> sources;
    for (const AuditSession::Background& one : session_->background())
        sources.push_back({one.runner, one.cancel, one.isAskedFor ? std::chrono::seconds{} : kBackground});
    auto* indicator = new JobIndicator(std::move(sources));
    connect(session_->panelJobs(), &PanelJobs::runnerAdded, indicator, [indicator](JobRunner* runner) {
        indicator->add({runner, {}, kBackground});
    });
    statusBar()->addPermanentWidget(indicator);
}

/// Qt's own walk (6.4) enters covered panels, and stays at the buttons of the ranking, of which one is down at a time.
bool MainWindow::focusNextPrevChild(bool next) {
    QWidget* begin = focusWidget() ? focusWidget() : this;
    const auto step = [next](const QWidget* from) {
        return next ? from->nextInFocusChain() : from->previousInFocusChain();
    };
    for (QWidget* stop = step(begin); stop != begin; stop = step(stop)) {
        if ((stop->focusPolicy() & Qt::TabFocus) == 0 || stop->focusProxy() != nullptr || stop->window() != this ||
            !stop->isVisible() || !stop->isEnabled() || docks_->isBehindTab(stop))
            continue;
        stop->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
        if (stop->hasFocus())
            return true;
    }
    return false;
}

void MainWindow::connectSession() {
    connect(session_->document(), &Document::stateChanged, this, &MainWindow::onStateChanged);
    connect(session_->selection(), &SampleSelection::changed, this, &MainWindow::refreshStatus);
    connect(session_, &AuditSession::busyChanged, this, [this] {
        // Not of the first scores: the whole audit, which follows, would end the tour.
        if (!session_->jobs()->isRunning() && std::exchange(tourWanted_, false))
            QTimer::singleShot(0, tour_, &Tour::start); // once every panel shows the audit
    });
    connect(session_, &AuditSession::opened, this, &MainWindow::onStateChanged); // the audit may have got a file
    connect(session_, &AuditSession::failed, this, &MainWindow::refreshTitle);   // or does not keep decisions any more
    connect(session_, &AuditSession::exported, this, [this](const QString& file) {
        refreshTitle();
        statusBar()->showMessage(tr("Wrote %1").arg(file), 8000);
    });
    connect(commands_, &Commands::externalScoresAdded, docks_,
            [this] { docks_->showPanel(QStringLiteral("agreement")); });
    connect(session_, &AuditSession::sampleScoresAdded, docks_, [this](const QString& column) {
        docks_->showPanel(QStringLiteral("distribution"), {{QStringLiteral("column"), column}});
    });
    connect(session_->jobs(), &JobRunner::started, startPage_, &StartPage::showJob);
    connect(session_->jobs(), &JobRunner::ended, startPage_, [this] { startPage_->showJob({}); });
    for (const AuditSession::Background& one : session_->background())
        if (one.isStoppedByHand)
            connect(one.runner, &JobRunner::cancelled, this, [this, runner = one.runner] {
                statusBar()->showMessage(tr("Cancelled: %1").arg(runner->title()), 5000);
            });
}

void MainWindow::connectStartPage() {
    connect(startPage_, &StartPage::openRequested, commands_, &Commands::chooseSets);
    connect(startPage_, &StartPage::demoRequested, session_, &AuditSession::openDemo);
    connect(startPage_, &StartPage::tourRequested, this, [this] {
        tourWanted_ = true;
        session_->openDemo();
    });
    connect(startPage_, &StartPage::filesHelpRequested, this,
            [this] { commands_->showHelpPage(QStringLiteral("formats")); });
    connect(startPage_, &StartPage::recentRequested, commands_, &Commands::openRecent);
    connect(commands_, &Commands::recentChanged, startPage_, &StartPage::setRecentAudits);
    startPage_->setRecentAudits(commands_->recentAudits());
}

void MainWindow::onStateChanged() {
    const bool changes = session_->isOpen() != docks_->isShown();
    if (changes)
        startPage_->setVisible(!session_->isOpen());
    stateKeeper_->follow();
    if (changes)
        reviewBar_->refresh(); // the layout may be of a review that has ended
    refreshTitle();
    notes_->setNotes(session_->isOpen() ? notesOf(*session_->state().audit) : QStringList());
    refreshStatus();
}

void MainWindow::refreshTitle() {
    const QString file = QFileInfo(session_->document()->auditFile()).fileName();
    const QString name = !session_->isOpen() ? QString()
                         : !file.isEmpty()   ? file
                                             : QString::fromStdString(session_->state().audit->real->set->name());
    setWindowTitle(name.isEmpty() ? tr("Assay") : tr("%1[*] \u2013 Assay").arg(name));
    setWindowModified(session_->hasUnsavedDecisions());
}

void MainWindow::refreshStatus() {
    status_->setText(statusText(*session_));
    status_->setToolTip(statusToolTip(*session_));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    if (const QStringList files = localFiles(event->mimeData()); !files.isEmpty()) {
        event->acceptProposedAction();
        commands_->openFiles(files);
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!closing_ && session_->hasUnsavedDecisions()) {
        event->ignore();
        commands_->leaveDecisions(tr("Closing the window"), [this] {
            closing_ = true;
            close();
        });
        return;
    }
    settings_.setGeometry(saveGeometry());
    stateKeeper_->keepNow();
    session_->keepNow();
    QMainWindow::closeEvent(event);
}

} // namespace assay

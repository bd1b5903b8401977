#include "gui/window/window_actions.h"

#include "gui/app/icons.h"
#include "gui/app/theme.h"
#include "gui/pages/start_page.h"
#include "gui/window/command_box.h"
#include "gui/window/menu_actions.h"
#include "gui/window/panel_docks.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/link/sample_selection.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QToolBar>
#include <QToolButton>
#include <QUndoGroup>

namespace assay {
namespace {

constexpr int kWidestModel = 240;

bool needsSpace(const QObject* widget) {
    if (const auto* list = qobject_cast<const QAbstractItemView*>(widget))
        return list->currentIndex().flags() & Qt::ItemIsUserCheckable;
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget);
}

} // namespace

WindowActions::WindowActions(QMainWindow* window, AuditSession* session, Theme* theme, PanelDocks* docks)
    : QObject(window), window_(window), session_(session), theme_(theme) {
    makeFileMenu();
    makeEditMenu();
    makeSelectMenu();
    makeAuditMenu();
    makeViewMenu(docks);
    makeHelpMenu();
    makeToolBar();
    connect(session_, &AuditSession::stateChanged, this, &WindowActions::refresh);
    connect(session_, &AuditSession::busyChanged, this, &WindowActions::refresh);
    connect(session_->selection(), &SampleSelection::changed, this, &WindowActions::refresh);
    refresh();
}

QAction* WindowActions::add(QMenu* menu, const QString& name, const QString& text, const QString& iconName,
                            const QKeySequence& shortcut, const QString& tip) {
    QAction* action = menu->addAction(icon(iconName), text);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    if (!tip.isEmpty()) {
        action->setStatusTip(tip);
        const QString keys = shortcut.toString(QKeySequence::NativeText);
        action->setToolTip(keys.isEmpty() ? tip : tr("%1 (%2)").arg(tip, keys));
    }
    return action;
}

void WindowActions::makeFileMenu() {
    QMenu* menu = window_->menuBar()->addMenu(tr("&File"));
    open_ = add(menu, QStringLiteral("actionOpen"), tr("&Open\u2026"), QStringLiteral("open"), QKeySequence::Open,
                tr("Open a real set and synthetic sets"));
    connect(open_, &QAction::triggered, this, &WindowActions::openRequested);
    addModels_ = add(menu, QStringLiteral("actionAddModels"), tr("&Add models\u2026"), QStringLiteral("add-model"),
                     QKeySequence(QStringLiteral("Ctrl+Shift+O")), tr("Score further synthetic sets"));
    connect(addModels_, &QAction::triggered, this, &WindowActions::addModelsRequested);
    recent_ = menu->addMenu(tr("&Recent audits"));
    recent_->setObjectName(QStringLiteral("menuRecent"));
    QAction* demo = add(menu, QStringLiteral("actionDemo"), tr("Open the &demo"), QStringLiteral("open-demo"), {},
                        tr("Open the built-in demo: generators with known faults"));
    connect(demo, &QAction::triggered, this, &WindowActions::demoRequested);
    menu->addSeparator();

    QMenu* exports = menu->addMenu(icon(QStringLiteral("export")), tr("&Export"));
    export_ = exports->menuAction();
    export_->setToolTip(tr("Write the kept or the rejected samples to a file"));
    needModel_ << export_;
    const auto addExport = [&](const QString& name, const QString& text, ExportWhat what, ExportFormat format,
                               const QKeySequence& shortcut = {}) {
        QAction* action = add(exports, name, text, {}, shortcut);
        connect(action, &QAction::triggered, this, [this, what, format] { emit exportRequested(what, format); });
        needModel_ << action;
        return action;
    };
    addExport(QStringLiteral("actionExportKeptCsv"), tr("&Kept samples as CSV\u2026"), ExportWhat::Kept,
              ExportFormat::Csv, QKeySequence(QStringLiteral("Ctrl+E")));
    addExport(QStringLiteral("actionExportRejectedCsv"), tr("&Rejected samples as CSV\u2026"), ExportWhat::Rejected,
              ExportFormat::Csv, QKeySequence(QStringLiteral("Ctrl+Shift+E")));
    exports->addSeparator();
    addExport(QStringLiteral("actionExportKeptIds"), tr("Ids of k&ept samples\u2026"), ExportWhat::Kept,
              ExportFormat::Ids);
    addExport(QStringLiteral("actionExportRejectedIds"), tr("Ids of re&jected samples\u2026"), ExportWhat::Rejected,
              ExportFormat::Ids);
    exports->addSeparator();
    QAction* report =
        add(exports, QStringLiteral("actionExportReport"), tr("&Report of the audit (JSON)\u2026"), {},
            QKeySequence(QStringLiteral("Ctrl+R")),
            tr("Write all scores with the files' digests, the parameters and the rules, for others to check"));
    connect(report, &QAction::triggered, this, &WindowActions::reportRequested);
    needModel_ << report;
    menu->addSeparator();
    QAction* quit = add(menu, QStringLiteral("actionQuit"), tr("&Quit"), {}, QKeySequence::Quit);
    connect(quit, &QAction::triggered, window_, &QMainWindow::close);
}

void WindowActions::makeEditMenu() {
    QMenu* menu = window_->menuBar()->addMenu(tr("&Edit"));
    undo_ = session_->undoGroup()->createUndoAction(this, tr("&Undo"));
    redo_ = session_->undoGroup()->createRedoAction(this, tr("&Redo"));
    undo_->setObjectName(QStringLiteral("actionUndo"));
    redo_->setObjectName(QStringLiteral("actionRedo"));
    undo_->setIcon(icon(QStringLiteral("undo")));
    redo_->setIcon(icon(QStringLiteral("redo")));
    undo_->setShortcut(QKeySequence::Undo);
    // Ctrl+Y as well as the platform's own.
    redo_->setShortcuts({QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y"))});
    menu->addAction(undo_);
    menu->addAction(redo_);
    menu->addSeparator();
    rejectByHand_ =
        add(menu, QStringLiteral("actionRejectByHand"), tr("Re&ject by hand"), QStringLiteral("reject"),
            QKeySequence(Qt::Key_Space), tr("Reject the selected samples whatever the rules say, or take that back"));
    rejectByHand_->setCheckable(true);
    rejectByHand_->setAutoRepeat(false); // a key held down would reject and take back in turn
    connect(rejectByHand_, &QAction::triggered, session_, &AuditSession::toggleRejectedByHand);
    makeTagMenu(menu);
    qApp->installEventFilter(this);
}

void WindowActions::makeTagMenu(QMenu* edit) {
    QMenu* menu = edit->addMenu(tr("&Tags"));
    menu->setObjectName(QStringLiteral("menuTag"));
    for (int tag = 1; tag <= kTags; ++tag) {
        QAction* action =
            add(menu, QStringLiteral("actionTag%1").arg(tag), tr("Tag &%1").arg(tag), {}, QKeySequence(Qt::Key_0 + tag),
                tr("Give the selected samples tag %1, or take it away").arg(tag));
        action->setCheckable(true);
        action->setAutoRepeat(false);
        connect(action, &QAction::triggered, session_, [this, tag] { session_->toggleTag(tag); });
        giveTag_ << action;
    }
    menu->addSeparator();
    clearTags_ = add(menu, QStringLiteral("actionClearTags"), tr("&Clear all tags"), {}, QKeySequence(Qt::Key_0),
                     tr("Take every tag of the selected samples away"));
    connect(clearTags_, &QAction::triggered, session_, &AuditSession::clearTags);
}

void WindowActions::makeTaggedMenu(QMenu* select) {
    QMenu* menu = select->addMenu(tr("&Tagged"));
    for (int tag = 1; tag <= kTags; ++tag) {
        QAction* action = add(menu, QStringLiteral("actionSelectTag%1").arg(tag), tr("Tag &%1").arg(tag), {}, {},
                              tr("Select the samples of this model and the real ones that have tag %1").arg(tag));
        connect(action, &QAction::triggered, session_, [this, tag] { session_->selectTagged(tag); });
        selectTag_ << action;
    }
}

void WindowActions::refreshTags() {
    const ViewState& state = session_->state();
    const bool can = session_->canTag();
    const TagSet common = session_->tagsOfSelection();
    for (int tag = 1; tag <= kTags; ++tag) {
        giveTag_[tag - 1]->setEnabled(can);
        giveTag_[tag - 1]->setChecked(common & tagSet(tag));
        const auto given = [&](SetId set) { return state.tags->having(tag).countIn(set) > 0; };
        selectTag_[tag - 1]->setEnabled(state.hasModel() && state.tags &&
                                        (given(SetId::Real) || given(state.currentSet())));
    }
    clearTags_->setEnabled(can);
}

void WindowActions::makeSelectMenu() {
    QMenu* menu = window_->menuBar()->addMenu(tr("&Select"));
    clear_ = add(menu, QStringLiteral("actionClearSelection"), tr("&Clear"), {}, QKeySequence(Qt::Key_Escape),
                 tr("Select nothing"));
    connect(clear_, &QAction::triggered, this, [this] {
        // Escape first leaves what the person is in: an open list, a search, a number being typed.
        if (QWidget* popup = QApplication::activePopupWidget()) {
            popup->close();
            return;
        }
        if (auto* edit = qobject_cast<QLineEdit*>(QApplication::focusWidget()); edit && !edit->text().isEmpty()) {
            if (qobject_cast<QAbstractSpinBox*>(edit->parentWidget()) == nullptr && !edit->isReadOnly())
                edit->clear();
            else
                edit->parentWidget()->clearFocus();
            return;
        }
        if (auto* number = qobject_cast<QAbstractSpinBox*>(QApplication::focusWidget())) {
            number->clearFocus();
            return;
        }
        session_->selection()->clear();
    });
    menu->addSeparator();
    selectRejected_ =
        add(menu, QStringLiteral("actionSelectRejected"), tr("&Rejected samples"), QStringLiteral("reject"),
            QKeySequence(QStringLiteral("Ctrl+Shift+R")), tr("Select what is rejected, by the rules or by hand"));
    connect(selectRejected_, &QAction::triggered, session_, &AuditSession::selectRejected);
    selectByHand_ = add(menu, QStringLiteral("actionSelectByHand"), tr("Rejected by &hand"), {}, {},
                        tr("Select what was rejected by hand"));
    connect(selectByHand_, &QAction::triggered, session_, &AuditSession::selectRejectedByHand);
    makeTaggedMenu(menu);
    QAction* accused =
        add(menu, QStringLiteral("actionSelectAccused"), tr("Acc&used samples"), QStringLiteral("warning"),
            QKeySequence(QStringLiteral("Ctrl+Shift+U")), tr("Select samples whose verdict is not good"));
    connect(accused, &QAction::triggered, session_, &AuditSession::selectAccused);
    QAction* invert = add(menu, QStringLiteral("actionInvertSelection"), tr("&Invert within model"), {},
                          QKeySequence(QStringLiteral("Ctrl+I")), tr("Select the other samples of this model"));
    connect(invert, &QAction::triggered, session_, &AuditSession::invertSelection);
    needModel_ << accused << invert;
    menu->addSeparator();
    showSelected_ = add(menu, QStringLiteral("actionShowSelected"), tr("Show &only selected"), {},
                        QKeySequence(QStringLiteral("Ctrl+L")),
                        tr("Leave all other samples out of every panel; scores and decisions stay those of all"));
    connect(showSelected_, &QAction::triggered, session_, &AuditSession::showOnlySelected);
    showAll_ = add(menu, QStringLiteral("actionShowAll"), tr("Show a&ll"), {},
                   QKeySequence(QStringLiteral("Ctrl+Shift+L")), tr("Show all samples again"));
    connect(showAll_, &QAction::triggered, session_, &AuditSession::showAll);
}

void WindowActions::makeAuditMenu() {
    QMenu* menu = window_->menuBar()->addMenu(tr("&Audit"));
    QAction* next = add(menu, QStringLiteral("actionNextModel"), tr("&Next model"), {},
                        QKeySequence(QStringLiteral("Ctrl+PgDown")));
    QAction* previous = add(menu, QStringLiteral("actionPreviousModel"), tr("&Previous model"), {},
                            QKeySequence(QStringLiteral("Ctrl+PgUp")));
    connect(next, &QAction::triggered, session_, [this] { session_->stepModel(+1); });
    connect(previous, &QAction::triggered, session_, [this] { session_->stepModel(-1); });
    needModels_ << next << previous;
    menu->addSeparator();
    cancel_ = add(menu, QStringLiteral("actionCancel"), tr("&Cancel"), QStringLiteral("cancel"),
                  QKeySequence(QStringLiteral("Ctrl+.")), tr("Stop the running job; what was open before stays"));
    connect(cancel_, &QAction::triggered, session_, &AuditSession::cancel);
}

void WindowActions::makeViewMenu(PanelDocks* docks) {
    QMenu* menu = window_->menuBar()->addMenu(tr("&View"));
    int number = 0;
    for (QAction* toggle : docks->toggleActions()) {
        const QString keys = ++number <= 10 ? QStringLiteral("Alt+%1") : QStringLiteral("Alt+Shift+%1");
        toggle->setShortcut(QKeySequence(keys.arg(number % 10)));
        menu->addAction(toggle);
    }
    menu->addSeparator();
    QAction* reset = add(menu, QStringLiteral("actionResetLayout"), tr("&Reset layout"), QStringLiteral("reset-view"));
    connect(reset, &QAction::triggered, docks, [docks] {
        if (docks->isShown())
            docks->resetLayout();
    });
    needModel_ << reset;
    makeThemeMenu(menu);
    QAction* fullScreen =
        add(menu, QStringLiteral("actionFullScreen"), tr("&Full screen"), {}, QKeySequence::FullScreen);
    fullScreen->setCheckable(true);
    connect(fullScreen, &QAction::toggled, window_,
            [this](bool on) { window_->setWindowState(window_->windowState().setFlag(Qt::WindowFullScreen, on)); });
}

void WindowActions::makeThemeMenu(QMenu* view) {
    QMenu* menu = view->addMenu(icon(QStringLiteral("theme")), tr("&Theme"));
    auto* group = new QActionGroup(this);
    const auto addChoice = [&](const QString& name, const QString& text, ThemeChoice choice) {
        QAction* action = add(menu, name, text);
        action->setCheckable(true);
        action->setChecked(theme_->choice() == choice);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, choice] {
            theme_->setChoice(choice);
            emit themeChosen();
        });
    };
    addChoice(QStringLiteral("actionThemeSystem"), tr("&System"), ThemeChoice::System);
    addChoice(QStringLiteral("actionThemeLight"), tr("&Light"), ThemeChoice::Light);
    addChoice(QStringLiteral("actionThemeDark"), tr("&Dark"), ThemeChoice::Dark);
}

void WindowActions::makeHelpMenu() {
    QMenu* menu = window_->menuBar()->addMenu(tr("&Help"));
    QAction* definitions = add(menu, QStringLiteral("actionDefinitions"), tr("&Metric definitions"),
                               QStringLiteral("help"), QKeySequence::HelpContents);
    setSearchWords(*definitions, tr("metrics help"));
    QAction* shortcuts = add(menu, QStringLiteral("actionShortcuts"), tr("&Keyboard shortcuts"), {},
                             QKeySequence(QStringLiteral("Ctrl+?")));
    menu->addSeparator();
    QAction* about = add(menu, QStringLiteral("actionAbout"), tr("&About Assay"), QStringLiteral("assay"));
    connect(definitions, &QAction::triggered, this, &WindowActions::definitionsRequested);
    connect(shortcuts, &QAction::triggered, this, &WindowActions::shortcutsRequested);
    connect(about, &QAction::triggered, this, &WindowActions::aboutRequested);
}

void WindowActions::makeToolBar() {
    QToolBar* bar = window_->addToolBar(tr("Main toolbar"));
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize(QSize(20, 20));
    bar->addActions({open_, addModels_});
    for (QAction* action : {open_, addModels_})
        qobject_cast<QToolButton*>(bar->widgetForAction(action))->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addAction(export_);
    auto* exportButton = qobject_cast<QToolButton*>(bar->widgetForAction(export_));
    exportButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    exportButton->setPopupMode(QToolButton::InstantPopup);
    bar->addSeparator();
    bar->addActions({undo_, redo_});
    bar->addSeparator();
    model_ = new ElidingComboBox;
    model_->setObjectName(QStringLiteral("modelCombo"));
    model_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    model_->setMinimumContentsLength(14);
    model_->setMaximumWidth(kWidestModel); // of a long name, or the command box has no room
    model_->setToolTip(tr("The model that every panel shows (Ctrl+Page Up and Ctrl+Page Down step through them)"));
    connect(model_, &QComboBox::activated, this,
            [this](int index) { session_->setModel(static_cast<std::size_t>(index)); });
    auto* label = new QLabel(tr("Model"));
    label->setContentsMargins(6, 0, 6, 0);
    bar->addWidget(label);
    bar->addWidget(model_);
    auto* gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    auto* box = new CommandBox(window_, session_);
    bar->addWidget(box);
    auto* find = new QShortcut(QKeySequence(QStringLiteral("Ctrl+K")), window_);
    connect(find, &QShortcut::activated, box, &CommandBox::open);
}

bool WindowActions::eventFilter(QObject* watched, QEvent* event) {
    // Space rejects by hand and digits give tags, but first they are for what has the keyboard: buttons, lists to open
    // or to search, ticks.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool digit = key->modifiers() == Qt::NoModifier && key->key() >= Qt::Key_0 && key->key() <= Qt::Key_9;
        if ((key->key() == Qt::Key_Space && needsSpace(watched)) || (digit && qobject_cast<QComboBox*>(watched))) {
            event->accept();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

void WindowActions::setRecentAudits(const QList<AuditFiles>& audits) {
    recent_->clear();
    for (const AuditFiles& files : audits) {
        QString text = auditSummary(files);
        QAction* action = recent_->addAction(text.replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setStatusTip(files.real);
        connect(action, &QAction::triggered, this, [this, files] { emit recentRequested(files); });
    }
    recent_->addSeparator();
    QAction* clear = recent_->addAction(tr("Clear list"));
    connect(clear, &QAction::triggered, this, &WindowActions::clearRecentRequested);
    recent_->setEnabled(!audits.isEmpty());
}

void WindowActions::refresh() {
    const ViewState& state = session_->state();
    for (QAction* action : std::as_const(needModel_))
        action->setEnabled(state.hasModel());
    for (QAction* action : std::as_const(needModels_))
        action->setEnabled(state.audit && state.audit->models.size() > 1);
    addModels_->setEnabled(session_->isOpen() && !session_->jobs()->isRunning());
    clear_->setEnabled(!session_->selection()->isEmpty());
    showSelected_->setEnabled(session_->canTag());
    showAll_->setEnabled(!state.filter.empty());
    selectRejected_->setEnabled(state.kept && session_->rejectedCount() > 0);
    selectByHand_->setEnabled(state.byHand != nullptr);
    rejectByHand_->setEnabled(session_->canDecide());
    rejectByHand_->setChecked(session_->isSelectionRejectedByHand());
    refreshTags();
    cancel_->setEnabled(session_->canCancel());

    QStringList names;
    if (state.audit)
        for (const auto& model : state.audit->models)
            names << QString::fromStdString(model->name);
    QStringList shown;
    for (int i = 0; i < model_->count(); ++i)
        shown << model_->itemText(i);
    if (names != shown) {
        model_->clear();
        model_->addItems(names);
    }
    model_->setCurrentIndex(state.hasModel() ? static_cast<int>(state.model) : -1);
    model_->setEnabled(state.hasModel());
}

} // namespace assay

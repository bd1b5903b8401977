#include "gui/window/window_actions.h"

#include "gui/commands/commands.h"
#include "gui/desktop/icons.h"
#include "gui/desktop/menu_actions.h"
#include "gui/pages/start_page.h"
#include "gui/session/review.h"
#include "gui/session/tour.h"
#include "gui/window/command_box.h"
#include "gui/window/panel_docks.h"
#include "gui/window/workspaces.h"
#include "widgets/common/controls.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/link/sample_selection.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QToolBar>
#include <QToolButton>
#include <QUndoGroup>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr int kWidestModel = 240;

bool needsSpace(const QObject* widget) {
    if (const auto* list = qobject_cast<const QAbstractItemView*>(widget))
        return list->currentIndex().flags() & Qt::ItemIsUserCheckable;
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget);
}

} // namespace

WindowActions::WindowActions(QMainWindow* window, Theme* theme, const WindowParts& parts)
    : QObject(window), window_(window), theme_(theme), session_(parts.session), commands_(parts.commands),
      docks_(parts.docks), workspaces_(parts.workspaces), review_(parts.review), tour_(parts.tour) {
    makeMenus();
    makeToolBar();
    qApp->installEventFilter(this);
    connect(session_->document(), &Document::stateChanged, this, &WindowActions::refresh);
    connect(session_, &AuditSession::busyChanged, this, &WindowActions::refresh);
    connect(session_->selection(), &SampleSelection::changed, this, &WindowActions::refresh);
    connect(review_, &Review::changed, this, &WindowActions::refresh);
    connect(tour_, &Tour::changed, this, &WindowActions::refresh);
    connect(commands_, &Commands::recentChanged, this, &WindowActions::listRecent);
    connect(docks_, &PanelDocks::menuRequested, this,
            [this](Panel* view, const QPoint& point) { makePanelMenu(view)->popup(point); });
    connect(workspaces_, &Workspaces::changed, this, &WindowActions::listWorkspaces);
    refresh();
}

void WindowActions::makeMenus() {
    const std::vector<std::pair<MenuId, QString>> bar{{MenuId::File, tr("&File")},     {MenuId::Edit, tr("&Edit")},
                                                      {MenuId::Select, tr("&Select")}, {MenuId::Audit, tr("&Audit")},
                                                      {MenuId::View, tr("&View")},     {MenuId::Help, tr("&Help")}};
    for (const auto& [id, title] : bar)
        menus_[id] = window_->menuBar()->addMenu(title);
    addUndo(menus_[MenuId::Edit]);
    for (QAction* toggle : docks_->toggleActions())
        menus_[MenuId::View]->addAction(toggle);
    addFileActions();
    addEditActions();
    addSelectActions();
    addAuditActions();
    addViewActions();
    addHelpActions();
    addWorkspaceActions();
    addTagActions();
    listRecent(commands_->recentAudits());
}

void WindowActions::addUndo(QMenu* menu) {
    undo_ = session_->document()->undoGroup()->createUndoAction(this, tr("&Undo"));
    redo_ = session_->document()->undoGroup()->createRedoAction(this, tr("&Redo"));
    undo_->setObjectName(QStringLiteral("actionUndo"));
    redo_->setObjectName(QStringLiteral("actionRedo"));
    undo_->setIcon(icon(QStringLiteral("undo")));
    redo_->setIcon(icon(QStringLiteral("redo")));
    undo_->setShortcut(QKeySequence::Undo);
    // Ctrl+Y as well as the platform's own.
    redo_->setShortcuts({QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y"))});
    menu->addActions({undo_, redo_});
}

void WindowActions::add(MenuId menu, const QString& id, const QString& text, const std::function<void()>& does,
                        const ActionTraits& traits) {
    if (traits.separated)
        menus_.at(menu)->addSeparator();
    QAction* action = menus_.at(menu)->addAction(text);
    action->setObjectName(id);
    make(action, id, traits);
    connect(action, &QAction::triggered, this, [this, does] {
        does();
        refresh(); // a tick follows what has come of it, not the click
    });
}

void WindowActions::addMenu(MenuId menu, MenuId opened, const QString& id, const QString& text,
                            const ActionTraits& traits) {
    if (traits.separated)
        menus_.at(menu)->addSeparator();
    menus_[opened] = menus_.at(menu)->addMenu(text);
    menus_[opened]->setObjectName(id);
    make(menus_[opened]->menuAction(), id, traits);
}

void WindowActions::make(QAction* action, const QString& id, ActionTraits traits) {
    if (!traits.icon.isEmpty())
        action->setIcon(icon(traits.icon));
    action->setShortcuts(traits.keys);
    action->setAutoRepeat(traits.repeats);
    action->setCheckable(static_cast<bool>(traits.checked));
    if (!traits.searchWords.isEmpty())
        setSearchWords(*action, traits.searchWords);
    if (!traits.tip.isEmpty()) {
        action->setStatusTip(traits.tip);
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        action->setToolTip(keys.isEmpty() ? traits.tip : tr("%1 (%2)").arg(traits.tip, keys));
    }
    if (!traits.enabled && !traits.anytime)
        traits.enabled = [this] { return session_->state().hasModel(); };
    made_.emplace(id, Made{action, std::move(traits)});
}

QAction* WindowActions::action(const QString& id) const {
    return made_.at(id).action;
}

void WindowActions::makeToolBar() {
    QToolBar* bar = window_->addToolBar(tr("Main toolbar"));
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize(QSize(20, 20));
    for (const char* id : {"actionOpen", "actionAddModels", "menuExport"}) {
        QAction* action = this->action(QLatin1String(id));
        bar->addAction(action);
        auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        if (action->menu() != nullptr)
            button->setPopupMode(QToolButton::InstantPopup);
    }
    bar->addSeparator();
    bar->addActions({undo_, redo_});
    bar->addSeparator();
    for (const Workspace& one : workspaces_->all())
        if (!one.own)
            bar->addAction(action(workspaceAction(one.id)));
    bar->addSeparator();
    model_ = named<ElidingComboBox>("modelCombo");
    model_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    model_->setMinimumContentsLength(14);
    model_->setMaximumWidth(kWidestModel); // of a long name, or the command box has no room
    model_->setToolTip(tr("The model that every panel shows (Ctrl+Page Up and Ctrl+Page Down step through them)"));
    connect(model_, &QComboBox::activated, this,
            [this](int index) { session_->editor()->setModel(static_cast<std::size_t>(index)); });
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
    // Space rejects by hand, digits give tags and letters do more, but first they are for what has the keyboard:
    // buttons, lists to open or to search, ticks. Fields to type in see to themselves.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool plain = (key->modifiers() & ~Qt::ShiftModifier) == Qt::NoModifier;
        const bool typed = plain && key->key() > Qt::Key_Space && key->key() < Qt::Key_Escape;
        if ((key->key() == Qt::Key_Space && needsSpace(watched)) ||
            (typed && watched != model_ && qobject_cast<QComboBox*>(watched))) {
            event->accept();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

void WindowActions::listRecent(const QList<AuditFiles>& audits) {
    QMenu* menu = menus_.at(MenuId::Recent);
    menu->clear();
    for (const AuditFiles& files : audits) {
        QString text = auditSummary(files);
        QAction* action = menu->addAction(text.replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setStatusTip(files.real);
        connect(action, &QAction::triggered, this, [this, files] { commands_->openRecent(files); });
    }
    menu->addSeparator();
    QAction* clear = menu->addAction(tr("Clear list"));
    connect(clear, &QAction::triggered, commands_, &Commands::clearRecent);
    menu->setEnabled(!audits.isEmpty());
}

void WindowActions::refresh() {
    const ViewState& state = session_->state();
    selected_ = session_->editor()->selected();
    for (const auto& [id, made] : made_) {
        if (made.traits.enabled)
            made.action->setEnabled(made.traits.enabled());
        if (made.traits.checked)
            made.action->setChecked(made.traits.checked());
        if (made.traits.named)
            made.action->setText(made.traits.named());
    }
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

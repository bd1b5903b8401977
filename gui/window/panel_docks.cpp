#include "gui/window/panel_docks.h"

#include "gui/commands/session_host.h"
#include "gui/desktop/icons.h"
#include "gui/desktop/menu_actions.h"
#include "gui/jobs/picture_loader.h"
#include "gui/session/audit_session.h"
#include "gui/session/review.h"
#include "gui/window/panel_title.h"
#include "widgets/common/colors.h"
#include "widgets/link/panel.h"
#include "widgets/ranking/ranking_view.h"

#include <QAction>
#include <QChildEvent>
#include <QContextMenuEvent>
#include <QDataStream>
#include <QDockWidget>
#include <QIODevice>
#include <QMainWindow>
#include <QTabBar>

#include <algorithm>
#include <map>
#include <utility>

namespace assay {
namespace {

// Saved with the layout: one of another arrangement is not restored.
constexpr int kLayoutVersion = 2;

/// QMainWindow keeps in each tab's data which dock it belongs to, as an integer: titles may be equal.
bool isTabOf(const QTabBar& bar, int tab, const QDockWidget* dock) {
    return tab >= 0 && bar.tabData(tab).value<quintptr>() == reinterpret_cast<quintptr>(dock);
}

/// The dock in front of those that share a tab bar with `dock`; the dock itself where it stands alone.
QDockWidget* frontOf(const QMainWindow* window, QDockWidget* dock) {
    const QList<QDockWidget*> mates = window->tabifiedDockWidgets(dock);
    for (const QTabBar* bar : window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (QDockWidget* mate : mates)
            if (isTabOf(*bar, bar->currentIndex(), mate))
                return mate;
    return dock;
}

/// Gives the keyboard to a view, or to the first part of it that takes it.
void focusFirst(QWidget* view) {
    if (view->focusPolicy() & Qt::TabFocus) {
        view->setFocus(Qt::TabFocusReason);
        return;
    }
    for (QWidget* next = view->nextInFocusChain(); next != view; next = next->nextInFocusChain())
        if (view->isAncestorOf(next) && next->isVisible() && next->isEnabled() &&
            (next->focusPolicy() & Qt::TabFocus)) {
            next->setFocus(Qt::TabFocusReason);
            return;
        }
}

/// Layouts of before 0.4 have other ids of some panels.
void takePresentIds(QStringList& known, QByteArray& state) {
    const auto written = [](const QString& id) {
        QByteArray bytes;
        QDataStream out(&bytes, QIODevice::WriteOnly);
        out << id;
        return bytes;
    };
    const std::map<QString, QString> present{{"rules", "keep"}, {"overview", "scatter"}, {"inspector", "sample"}};
    for (const auto& [before, now] : present) {
        std::ranges::replace(known, before, now);
        state.replace(written(before), written(now));
    }
}

} // namespace

PanelDocks::PanelDocks(QMainWindow* window, const std::vector<PanelRow>& rows, AuditSession* session,
                       Commands* commands, Review* review)
    : QObject(window), window_(window) {
    auto* loader = new PictureLoader(this);
    auto* heldOut = new PictureLoader(this); // no sample of the audit is in the held-out set
    host_ =
        new SessionHost({.session = session,
                         .commands = commands,
                         .pictures = loader->pictures(),
                         .heldOutPictures = heldOut->pictures(),
                         .showPanel = [this](const QString& id, const QJsonObject& state) { showPanel(id, state); }});
    host_->setParent(this);
    window_->setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    window_->installEventFilter(this);
    window_->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    for (const PanelRow& row : rows)
        add(row, session);
    if (auto* ranking = qobject_cast<RankingView*>(panel(QStringLiteral("ranking"))))
        review->setRanking(ranking->model());
    setToggles(false);
    connect(session->document(), &Document::stateChanged, this, &PanelDocks::markTabs);
    connect(session->document(), &Document::stateChanged, this, &PanelDocks::fitOnce);
    const auto mark = [this, session] {
        markTabs(session->state());
        for (const Entry& entry : entries_)
            static_cast<PanelTitle*>(entry.dock->titleBarWidget())->showName();
    };
    connect(this, &PanelDocks::layoutChanged, this, mark, Qt::QueuedConnection); // once the tabs are there
}

void PanelDocks::add(const PanelRow& row, AuditSession* session) {
    auto* dock = new QDockWidget(row.title, window_);
    dock->setObjectName(row.id);
    auto* title = new PanelTitle(dock, row.question);
    dock->setTitleBarWidget(title);
    Panel* panel = row.make(*host_);
    dock->setWidget(panel);
    connect(session->document(), &Document::stateChanged, panel, &Panel::showState);
    connect(panel, &Panel::choicesChanged, this, &PanelDocks::choicesChanged);
    connect(panel, &QWidget::windowTitleChanged, title, &PanelTitle::setQuestion);
    if (!panel->windowTitle().isEmpty())
        title->setQuestion(panel->windowTitle());
    panel->showState(session->state());
    dock->installEventFilter(this);

    QAction* toggle = dock->toggleViewAction();
    toggle->setIcon(icon(row.icon));
    toggle->setShortcut(QKeySequence(row.key));
    setSearchWords(*toggle, row.searchWords);
    window_->addDockWidget(Qt::LeftDockWidgetArea, dock);
    dock->hide();
    panel->setWatched(false);
    connect(dock, &QDockWidget::visibilityChanged, panel, &Panel::setWatched);
    connect(dock, &QDockWidget::visibilityChanged, this, &PanelDocks::layoutChanged);
    connect(dock, &QDockWidget::dockLocationChanged, this, &PanelDocks::layoutChanged);
    connect(dock, &QDockWidget::topLevelChanged, this, &PanelDocks::layoutChanged);
    // Once another panel has come to the front.
    connect(
        dock, &QDockWidget::visibilityChanged, this, [this, dock] { passKeyboard(dock); }, Qt::QueuedConnection);
    entries_.push_back({.home = row.place,
                        .dock = dock,
                        .toggle = toggle,
                        .panel = panel,
                        .unavailableReason = row.unavailableReason,
                        .openAtHome = row.isOpenAtFirst,
                        .place = row.place});
    takeOverToggle(entries_.back());
}

const PanelDocks::Entry* PanelDocks::find(const std::function<bool(const Entry&)>& is) const {
    const auto at = std::ranges::find_if(entries_, is);
    return at == entries_.end() ? nullptr : &*at;
}

const PanelDocks::Entry* PanelDocks::find(const QString& id) const {
    return find([&](const Entry& one) { return one.dock->objectName() == id; });
}

void PanelDocks::markTabs(const ViewState& state) const {
    for (QTabBar* bar : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (int tab = 0; tab < bar->count(); ++tab) {
            const Entry* entry = find([&](const Entry& one) { return isTabOf(*bar, tab, one.dock); });
            if (entry == nullptr)
                continue;
            const QString reason = entry->unavailableReason ? entry->unavailableReason(state) : QString();
            bar->setTabTextColor(tab, reason.isEmpty() ? QColor() : colors::mutedText(bar->palette()));
            bar->setTabToolTip(tab, reason);
        }
}

void PanelDocks::choosePlaces(const PanelPlaces& places) {
    if (places.empty()) {
        for (Entry& entry : entries_) {
            entry.place = entry.home;
            entry.open = entry.openAtHome;
        }
        return;
    }
    // A closed panel comes up as a tab of the largest place.
    const auto area = [](const PanelPlaces::value_type& one) { return one.second.width * one.second.height; };
    const PanelPlace largest = std::ranges::max_element(places, {}, area)->second;
    for (Entry& entry : entries_) {
        const auto at = places.find(entry.dock->objectName());
        entry.open = at != places.end();
        entry.place = entry.open ? at->second : largest;
    }
}

void PanelDocks::show(const QByteArray& layout, const PanelPlaces& places) {
    shown_ = true;
    fitsOnce_ = false;
    setToggles(true);
    QDataStream in(layout);
    QStringList known;
    QByteArray state;
    in >> known >> state;
    takePresentIds(known, state);
    choosePlaces(places);
    if (in.status() != QDataStream::Ok || !window_->restoreState(state, kLayoutVersion)) {
        resetLayout(places);
        return;
    }
    placeUnknown(known);
}

void PanelDocks::placeUnknown(const QStringList& known) {
    // A panel that the layout has never heard of would stay out of sight for good, or as a strip of its own squeeze the
    // others: it becomes a tab behind those that it shares its place with.
    for (const Entry& entry : entries_) {
        if (!entry.open || known.contains(entry.dock->objectName()))
            continue;
        for (const Entry& mate : entries_) {
            const bool sameSpot = mate.place.column == entry.place.column && mate.place.row == entry.place.row &&
                                  mate.place.slot == entry.place.slot;
            if (!sameSpot || !known.contains(mate.dock->objectName()) || mate.dock->isFloating() ||
                mate.dock->isHidden())
                continue;
            QDockWidget* front = frontOf(window_, mate.dock);
            window_->tabifyDockWidget(mate.dock, entry.dock);
            entry.dock->show();
            front->raise();
            break;
        }
        entry.dock->show();
    }
}

void PanelDocks::takeOverToggle(const Entry& entry) {
    QDockWidget* dock = entry.dock;
    QAction* toggle = entry.toggle;
    // The dock's own way would close a tab that nobody sees, and show one behind the others.
    disconnect(toggle, &QAction::triggered, dock, nullptr);
    connect(toggle, &QAction::triggered, this, [entry] {
        const bool behind = !entry.dock->isHidden() && entry.dock->visibleRegion().isEmpty();
        if (!entry.dock->isHidden() && !behind)
            entry.dock->close();
        else
            reveal(entry);
    });
    toggle->installEventFilter(this);
    auto* found = new QAction(dock);
    connect(found, &QAction::triggered, this, [entry] { reveal(entry); });
    setWhenFound(*toggle, found);
}

void PanelDocks::reveal(const Entry& entry) {
    entry.dock->show();
    entry.dock->raise();
    entry.toggle->setChecked(true);
    focusFirst(entry.dock->widget());
}

bool PanelDocks::isBehindTab(const QWidget* part) const {
    return find([part](const Entry& one) { return one.dock->isAncestorOf(part) && !one.panel->isWatched(); }) !=
           nullptr;
}

QString PanelDocks::panelOf(const QWidget* part) const {
    const Entry* entry = find(
        [part](const Entry& one) { return part != nullptr && (one.dock == part || one.dock->isAncestorOf(part)); });
    return entry == nullptr ? QString() : entry->dock->objectName();
}

void PanelDocks::passKeyboard(QDockWidget* from) {
    QWidget* focus = window_->focusWidget();
    if (focus == nullptr || !from->isAncestorOf(focus) || !isBehindTab(focus))
        return;
    for (QDockWidget* mate : window_->tabifiedDockWidgets(from))
        if (!isBehindTab(mate->widget())) {
            focusFirst(mate->widget());
            return;
        }
    focus->clearFocus();
}

void PanelDocks::hide() {
    shown_ = false;
    setToggles(false);
    for (const Entry& entry : entries_)
        entry.dock->hide();
}

QByteArray PanelDocks::saveLayout() const {
    QStringList known;
    for (const Entry& entry : entries_)
        known << entry.dock->objectName();
    QByteArray layout;
    QDataStream out(&layout, QIODevice::WriteOnly);
    out << known << window_->saveState(kLayoutVersion);
    return layout;
}

std::vector<QAction*> PanelDocks::toggleActions() const {
    std::vector<QAction*> actions;
    for (const Entry& entry : entries_)
        actions.push_back(entry.toggle);
    return actions;
}

bool PanelDocks::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window_) {
        // Many panels in one place: what does not fit is scrolled, not abbreviated.
        if (event->type() == QEvent::ChildPolished)
            if (auto* tabs = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child())) {
                tabs->setElideMode(Qt::ElideNone);
                tabs->setUsesScrollButtons(true);
            }
        return false;
    }
    // Its keys bring a panel to the front; only its entry in the menu closes it.
    if (event->type() == QEvent::Shortcut) {
        const Entry* entry = find([watched](const Entry& one) { return one.toggle == watched; });
        if (entry != nullptr)
            reveal(*entry);
        return entry != nullptr;
    }
    if (event->type() == QEvent::Resize) {
        emit layoutChanged();
        return false;
    }
    if (event->type() == QEvent::ContextMenu) {
        auto* dock = qobject_cast<QDockWidget*>(watched);
        const QPoint point = static_cast<QContextMenuEvent*>(event)->globalPos();
        auto* view = dock != nullptr ? qobject_cast<Panel*>(dock->widget()) : nullptr;
        if (view == nullptr || !view->rect().contains(view->mapFromGlobal(point)))
            return false; // the title has the menu of all panels
        emit menuRequested(view, point);
        return true;
    }
    return QObject::eventFilter(watched, event);
}

void PanelDocks::showPanel(const QString& id, const QJsonObject& state) {
    const Entry* entry = find(id);
    if (entry == nullptr)
        return;
    entry->dock->show();
    entry->dock->raise();
    if (!state.isEmpty())
        entry->panel->restoreState(state);
}

Panel* PanelDocks::panel(const QString& id) const {
    const Entry* entry = find(id);
    return entry == nullptr ? nullptr : entry->panel;
}

QJsonObject PanelDocks::saveStates() const {
    QJsonObject states;
    for (const Entry& entry : entries_)
        if (const QJsonObject state = entry.panel->saveState(); !state.isEmpty())
            states.insert(entry.dock->objectName(), state);
    return states;
}

void PanelDocks::restoreStates(const QJsonObject& states) {
    for (const Entry& entry : entries_)
        if (states.contains(entry.dock->objectName()))
            entry.panel->restoreState(states.value(entry.dock->objectName()).toObject());
}

void PanelDocks::focusPanel(const QString& id) {
    if (Panel* shown = panel(id); shown != nullptr && shown->isWatched())
        focusFirst(shown);
}

void PanelDocks::setToggles(bool enabled) {
    for (const Entry& entry : entries_)
        entry.toggle->setEnabled(enabled);
}

std::vector<PanelDocks::Column> PanelDocks::columns() const {
    std::map<PanelColumn, std::map<int, std::map<int, Tabs>>> places;
    for (const bool open : {true, false}) // an open one is in front
        for (const Entry& entry : entries_)
            if (entry.open == open)
                places[entry.place.column][entry.place.row][entry.place.slot].push_back(&entry);
    std::vector<Column> columns;
    for (const auto& [id, rows] : places) {
        Column& column = columns.emplace_back();
        for (const auto& [number, slots_] : rows) {
            std::vector<Tabs>& row = column.emplace_back();
            for (const auto& [slot, tabs] : slots_)
                row.push_back(tabs);
        }
    }
    return columns;
}

void PanelDocks::placeColumn(const Column& rows) const {
    // First the rows below each other, then the slots of each beside each other, then the tabs of each slot.
    for (std::size_t row = 1; row < rows.size(); ++row)
        window_->splitDockWidget(rows[row - 1].front().front()->dock, rows[row].front().front()->dock, Qt::Vertical);
    for (const auto& row : rows) {
        for (std::size_t slot = 1; slot < row.size(); ++slot)
            window_->splitDockWidget(row[slot - 1].front()->dock, row[slot].front()->dock, Qt::Horizontal);
        for (const Tabs& tabs : row)
            for (std::size_t tab = 1; tab < tabs.size(); ++tab)
                window_->tabifyDockWidget(tabs[tab - 1]->dock, tabs[tab]->dock);
    }
}

void PanelDocks::resize(const std::vector<Column>& columns) const {
    QList<QDockWidget*> fronts;
    QList<int> widths;
    for (const auto& rows : columns) {
        fronts << rows.front().front().front()->dock;
        int width = 0;
        for (const Tabs& tabs : rows.front())
            width += tabs.front()->place.width;
        widths << width;
    }
    window_->resizeDocks(fronts, widths, Qt::Horizontal);
    for (const auto& rows : columns) {
        QList<QDockWidget*> tops;
        QList<int> heights;
        int more = 0;
        for (const auto& row : rows) {
            tops << row.front().front()->dock;
            const Entry& front = *row.front().front();
            const int wanted = front.panel->heightWanted(front.dock->width());
            const int title = front.dock->titleBarWidget()->sizeHint().height();
            heights << std::max(front.place.height, wanted > 0 ? wanted + title : 0);
            more += heights.last() - front.place.height;
            QList<QDockWidget*> slotDocks;
            QList<int> slotWidths;
            for (const Tabs& tabs : row) {
                slotDocks << tabs.front()->dock;
                slotWidths << tabs.front()->place.width;
            }
            if (row.size() > 1)
                window_->resizeDocks(slotDocks, slotWidths, Qt::Horizontal);
        }
        *std::ranges::max_element(heights) -= more; // the largest has what the others need more
        window_->resizeDocks(tops, heights, Qt::Vertical);
    }
}

void PanelDocks::resetLayout(const PanelPlaces& places) {
    choosePlaces(places);
    for (const Entry& entry : entries_) {
        entry.dock->setFloating(false);
        window_->removeDockWidget(entry.dock);
    }
    const std::vector<Column> columns = this->columns();
    if (columns.empty())
        return;
    window_->addDockWidget(Qt::LeftDockWidgetArea, columns.front().front().front().front()->dock);
    for (std::size_t c = 1; c < columns.size(); ++c)
        window_->splitDockWidget(columns[c - 1].front().front().front()->dock, columns[c].front().front().front()->dock,
                                 Qt::Horizontal);
    for (const auto& rows : columns)
        placeColumn(rows);
    for (const Entry& entry : entries_)
        entry.dock->setVisible(entry.open);
    for (const auto& rows : columns)
        for (const auto& row : rows)
            for (const Tabs& tabs : row)
                tabs.front()->dock->raise();
    resize(columns);
    fitsOnce_ = true;
    emit layoutChanged();
}

void PanelDocks::fitOnce(const ViewState& state) {
    if (!shown_ || !state.hasModel() || !state.current().complete || !fitsOnce_)
        return;
    QMetaObject::invokeMethod( // once every panel shows the state
        this,
        [this] {
            if (std::exchange(fitsOnce_, false)) // no other layout has come meanwhile
                resize(columns());
        },
        Qt::QueuedConnection);
}

} // namespace assay

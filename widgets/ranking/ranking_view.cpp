#include "widgets/ranking/ranking_view.h"

#include "engine/base/find_by.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/controls.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/number_format.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_cells.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_picker.h"
#include "widgets/ranking/ranking_table.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSlider>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace assay {
namespace {

/// One row is one ranking in the combo box.
struct NamedOrder {
    const char* title;
    const char* column;
    Qt::SortOrder order;
    Side side = Side::Synthetic;

    RankingOrder ranking() const { return {column, order, side}; }
};

constexpr std::array<NamedOrder, 10> kOrders{{
    {QT_TRANSLATE_NOOP("assay::RankingView", "most suspicious first (p-value)"), "p_any", Qt::AscendingOrder},
    {QT_TRANSLATE_NOOP("assay::RankingView", "nearest copies first (copy ratio)"), "copy_ratio", Qt::AscendingOrder},
    {QT_TRANSLATE_NOOP("assay::RankingView", "most unrealistic first (PCE)"), "pce", Qt::DescendingOrder},
    {QT_TRANSLATE_NOOP("assay::RankingView", "most memorised first (PCE)"), "pce", Qt::AscendingOrder},
    {QT_TRANSLATE_NOOP("assay::RankingView", "least faithful first (fidelity)"), "fidelity", Qt::AscendingOrder},
    {QT_TRANSLATE_NOOP("assay::RankingView", "farthest from any real sample first"), "nearest_real_distance",
     Qt::DescendingOrder},
    {QT_TRANSLATE_NOOP("assay::RankingView", "largest share in the Fréchet distance first"), "frechet_influence",
     Qt::DescendingOrder},
    {QT_TRANSLATE_NOOP("assay::RankingView", "in the order of the file"), "id", Qt::AscendingOrder},
    {QT_TRANSLATE_NOOP("assay::RankingView", "real: least covered first"), "coverage", Qt::AscendingOrder, Side::Real},
    {QT_TRANSLATE_NOOP("assay::RankingView", "real: in the order of the file"), "id", Qt::AscendingOrder, Side::Real},
}};

// Widths of the panel, in logical pixels, from which the bar has room for what it can do without.
constexpr int kNarrowestRankingBar = 440;
constexpr int kRoomForGroups = 490;
constexpr int kRoomForClasses = 600;
constexpr int kRoomForNearest = 800;
constexpr int kRoomForWords = 820; // "1,500 of 5,000" instead of "1,500"
constexpr int kRoomForSize = 940;

/// Samples that are ranked within a few milliseconds, and need no thread.
constexpr std::size_t kRankedAtOnce = 20'000;

// Keys of the saved state.
constexpr QLatin1String kColumn("column");
constexpr QLatin1String kDescending("descending");
constexpr QLatin1String kReal("real");
constexpr QLatin1String kShow("show");
constexpr QLatin1String kGroup("group");
constexpr QLatin1String kNearest("nearest");

/// An entry of a box, and its word in the saved state.
template <class Value>
struct Choice {
    Value value;
    const char* word;
    const char* text;
    const char* hint = "";
};

constexpr std::array<Choice<RankingShow>, 7> kShows{{
    {RankingShow::All, "all", QT_TRANSLATE_NOOP("assay::RankingView", "all samples")},
    {RankingShow::Selected, "selected", QT_TRANSLATE_NOOP("assay::RankingView", "selected")},
    {RankingShow::Kept, "kept", QT_TRANSLATE_NOOP("assay::RankingView", "kept")},
    {RankingShow::Rejected, "rejected", QT_TRANSLATE_NOOP("assay::RankingView", "rejected")},
    {RankingShow::Accused, "accused", QT_TRANSLATE_NOOP("assay::RankingView", "flagged")},
    {RankingShow::Undecided, "undecided", QT_TRANSLATE_NOOP("assay::RankingView", "undecided"),
     QT_TRANSLATE_NOOP("assay::RankingView",
                       "Not reviewed yet: neither rejected nor kept by hand, nor marked as unsure")},
    {RankingShow::Reviewed, "reviewed", QT_TRANSLATE_NOOP("assay::RankingView", "reviewed"),
     QT_TRANSLATE_NOOP("assay::RankingView", "Rejected by hand, kept by hand, or unsure")},
}};
constexpr std::array<Choice<RankingGrouping>, 4> kGroupings{{
    {RankingGrouping::None, "none", QT_TRANSLATE_NOOP("assay::RankingView", "no groups"),
     QT_TRANSLATE_NOOP("assay::RankingView", "One ranking of all samples")},
    {RankingGrouping::Verdict, "verdict", QT_TRANSLATE_NOOP("assay::RankingView", "by verdict"),
     QT_TRANSLATE_NOOP("assay::RankingView", "Separates copies, unrealistic, invented, crowded and good samples; real "
                                             "samples into missed, thin and covered ones")},
    {RankingGrouping::Class, "class", QT_TRANSLATE_NOOP("assay::RankingView", "by class"),
     QT_TRANSLATE_NOOP("assay::RankingView", "One group for each class of the file")},
    {RankingGrouping::Nearest, "nearest", QT_TRANSLATE_NOOP("assay::RankingView", "by nearest"),
     QT_TRANSLATE_NOOP("assay::RankingView",
                       "Puts synthetic samples with the same nearest real sample together, so that all copies of one "
                       "original are one group. Real samples are grouped by their nearest synthetic one")},
}};

template <class Choices, class Value>
QString wordOf(const Choices& choices, Value value) {
    return QLatin1String(findBy(choices, &Choice<Value>::value, value)->word);
}

template <class Value, std::size_t Count>
std::optional<Value> namedIn(const std::array<Choice<Value>, Count>& choices, const QJsonValue& word) {
    const auto* found = findBy(choices, &Choice<Value>::word, word.toString().toStdString());
    return found == nullptr ? std::nullopt : std::optional(found->value);
}

template <class Choices>
void addChoices(QComboBox& box, const Choices& choices) {
    for (const auto& choice : choices) {
        box.addItem(RankingView::tr(choice.text), static_cast<int>(choice.value));
        box.setItemData(box.count() - 1, RankingView::tr(choice.hint), Qt::ToolTipRole);
    }
}

bool canRankBy(const RankingOrder& order) {
    constexpr std::array<std::string_view, 5> fixed{"id", "class", "kept", "tags", "note"};
    const Column* column = findColumn(order.column);
    return std::ranges::find(fixed, order.column) != fixed.end() || isExternal(order.column) ||
           (column != nullptr && column->side == order.side);
}

/// "Most suspicious first" for "most suspicious first".
QString capitalised(const QString& text) {
    return text.left(1).toUpper() + text.mid(1);
}

} // namespace

RankingView::RankingView(PanelHost& host) : Panel(host) {
    model_ = new RankingModel(selection(), this);
    model_->listLater(kRankedAtOnce);
    picker_ = new RankingPicker(model_, this);
    cells_ = std::make_unique<RankingCells>(model_, picker_);
    gallery_ = named<SampleGrid>("rankingGallery", selection(), pictures(), GridLook{.pictures = Qt::Vertical}, this);
    gallery_->setAccessibleName(tr("Gallery of ranked samples"));
    gallery_->setContents(cells_.get());
    table_ = named<RankingTable>("rankingTable", model_, picker_, pictures(), this);
    table_->setFrameShape(QFrame::NoFrame);
    pages_ = new QStackedWidget(this);
    pages_->addWidget(gallery_);
    pages_->addWidget(table_);
    bar_ = makeBar();
    setContent(pages_, tr("The synthetic samples of the current model are ranked here, worst first."), bar_);
    connectGallery();
    connectParts();
    setWindowTitle(currentTitle());
    showPage();
}

RankingView::~RankingView() = default;

QJsonObject RankingView::saveState() const {
    const RankingOrder& order = model_->order();
    return {{kColumn, QString::fromStdString(order.column)},
            {kDescending, order.order == Qt::DescendingOrder},
            {kReal, order.side == Side::Real},
            {kShow, wordOf(kShows, model_->show())},
            {kGroup, wordOf(kGroupings, grouping_)},
            {kNearest, isNearestShown()}};
}

void RankingView::restoreState(const QJsonObject& state) {
    const RankingOrder order{state.value(kColumn).toString().toStdString(),
                             state.value(kDescending).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder,
                             state.value(kReal).toBool() ? Side::Real : Side::Synthetic};
    if (canRankBy(order))
        model_->setOrder(order);
    if (const auto show = namedIn(kShows, state.value(kShow)))
        model_->setShow(*show);
    if (const auto grouping = namedIn(kGroupings, state.value(kGroup)))
        setGrouping(*grouping);
    if (state.contains(kNearest))
        setNearestShown(state.value(kNearest).toBool());
}

QToolButton* RankingView::makePageButton(const char* name, const QString& text, const QString& hint, Page page) {
    auto* button = newButton<QToolButton>(name, text, hint, this);
    button->setCheckable(true);
    button->setChecked(page == wanted_);
    button->setAutoExclusive(true);
    connect(button, &QToolButton::clicked, this, [this, page] {
        wanted_ = page;
        applyGrouping();
        showPage();
        revealFocus();
    });
    return button;
}

/// A key that works while the panel has the keyboard.
void RankingView::addKey(const QKeySequence& keys, const QString& text, const std::function<void()>& act) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, act);
    addAction(action);
}

void RankingView::groupByNext() {
    const auto next = [](RankingGrouping from) {
        return static_cast<RankingGrouping>((static_cast<std::size_t>(from) + 1) % kGroupings.size());
    };
    RankingGrouping to = next(grouping_);
    while (!canGroupBy(to, state(), model_->order().side))
        to = next(to);
    setGrouping(to);
}

void RankingView::setGrouping(RankingGrouping grouping) {
    if (grouping == grouping_)
        return;
    grouping_ = grouping;
    applyGrouping();
    scrollToTop();
    emit choicesChanged();
}

void RankingView::applyGrouping() {
    const QSignalBlocker quiet(groupCombo_);
    groupCombo_->setCurrentIndex(groupCombo_->findData(static_cast<int>(grouping_)));
    auto* items = qobject_cast<QStandardItemModel*>(groupCombo_->model());
    for (int at = 0; items != nullptr && at < items->rowCount(); ++at)
        items->item(at)->setEnabled(
            canGroupBy(static_cast<RankingGrouping>(groupCombo_->itemData(at).toInt()), state(), model_->order().side));
    const bool groups = wanted_ == GalleryPage && canGroupBy(grouping_, state(), model_->order().side);
    model_->setGrouping(groups ? grouping_ : RankingGrouping::None);
}

void RankingView::setNearestShown(bool shown) {
    nearestButton_->setChecked(shown);
}

bool RankingView::isNearestShown() const {
    return nearestButton_->isChecked();
}

QWidget* RankingView::makeBar() {
    auto* bar = new QWidget(this);
    auto* layout = newLayout<QHBoxLayout>(bar, {6, 4, 6, 4});
    orderCombo_ = named<ElidingComboBox>("rankingOrder", bar);
    orderCombo_->setToolTip(tr("What the samples are ranked by"));
    for (const NamedOrder& order : kOrders) {
        orderCombo_->addItem(tr(order.title));
        if (const Column* column = findColumn(order.column))
            orderCombo_->setItemData(orderCombo_->count() - 1, metricToolTip(*column), Qt::ToolTipRole);
    }
    showCombo_ = named<ElidingComboBox>("rankingShow", bar);
    showCombo_->setToolTip(tr("Which samples to list"));
    addChoices(*showCombo_, kShows);
    groupCombo_ = named<ElidingComboBox>("rankingGroup", bar);
    groupCombo_->setAccessibleName(tr("Group by"));
    groupCombo_->setToolTip(tr("Groups the gallery (G). The largest group comes first, and the ranking goes on within "
                               "each group."));
    addChoices(*groupCombo_, kGroupings);
    nearestButton_ =
        newButton<QToolButton>("rankingNearest", tr("Nearest"),
                               tr("Shows under each synthetic sample its nearest real sample, and under each real one "
                                  "its nearest synthetic sample (O)"),
                               bar);
    nearestButton_->setCheckable(true);
    classCombo_ = named<ElidingComboBox>("rankingClass", bar);
    classCombo_->setToolTip(tr("Which class to show, here and in every other panel"));
    classCombo_->hide();
    search_ = named<QLineEdit>("rankingSearch", bar);
    search_->setPlaceholderText(tr("id or class"));
    search_->setToolTip(tr("Shows samples whose id, class or group contains this text, here and in every other panel"));
    search_->setClearButtonEnabled(true);
    search_->setMinimumWidth(search_->fontMetrics().horizontalAdvance(search_->placeholderText()) + 16);
    search_->setMaximumWidth(160);
    count_ = named<QLabel>("rankingCount", bar);
    size_ = named<QSlider>("rankingTileSize", Qt::Horizontal, bar);
    size_->setRange(SampleGrid::kSmallestEdge, SampleGrid::kLargestEdge);
    size_->setValue(gallery_->edge());
    size_->setFixedWidth(70);
    size_->setToolTip(tr("Size of the pictures (Ctrl and wheel)"));
    galleryButton_ = makePageButton("rankingAsGallery", tr("Gallery"), tr("Show pictures"), GalleryPage);
    tableButton_ = makePageButton("rankingAsTable", tr("List"), tr("Show every score"), TablePage);
    for (QComboBox* combo : {orderCombo_, showCombo_, classCombo_, groupCombo_}) {
        combo->setMinimumContentsLength(4);
        combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    orderCombo_->setMinimumContentsLength(8);
    layout->addWidget(orderCombo_, 7);
    layout->addWidget(showCombo_, 4);
    layout->addWidget(classCombo_, 4);
    layout->addWidget(groupCombo_, 4);
    layout->addWidget(search_, 2);
    layout->addWidget(count_);
    layout->addWidget(size_);
    layout->addWidget(nearestButton_);
    layout->addWidget(galleryButton_);
    layout->addWidget(tableButton_);
    bar->setMinimumWidth(kNarrowestRankingBar); // what can be done without goes first: resizeEvent()
    return bar;
}

void RankingView::connectParts() {
    connect(orderCombo_, &QComboBox::currentIndexChanged, this, [this](int at) {
        const auto place = static_cast<std::size_t>(std::max(at, 0));
        if (at >= 0 && place < kOrders.size())
            model_->setOrder(kOrders[place].ranking());
        else if (at >= 0 && place < kOrders.size() + externalOrders_.size())
            model_->setOrder(externalOrders_[place - kOrders.size()]);
    });
    connect(showCombo_, &QComboBox::currentIndexChanged, this,
            [this] { model_->setShow(static_cast<RankingShow>(showCombo_->currentData().toInt())); });
    connect(model_, &RankingModel::showChanged, this, [this] {
        const QSignalBlocker quiet(showCombo_);
        showCombo_->setCurrentIndex(showCombo_->findData(static_cast<int>(model_->show())));
    });
    connect(classCombo_, &QComboBox::currentIndexChanged, this, [this](int at) {
        ViewFilter filter = state().filter;
        filter.className =
            at > 0 ? std::optional(model_->listed().labels().names[static_cast<std::size_t>(at - 1)]) : std::nullopt;
        host().setFilter(filter);
    });
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        ViewFilter filter = state().filter;
        filter.text = text;
        host().setFilter(filter);
    });
    connect(groupCombo_, &QComboBox::currentIndexChanged, this,
            [this] { setGrouping(static_cast<RankingGrouping>(groupCombo_->currentData().toInt())); });
    connect(nearestButton_, &QToolButton::toggled, this, [this](bool shown) {
        cells_->setNearestShown(shown);
        gallery_->layOut();
        emit choicesChanged();
    });
    addKey(QKeySequence(Qt::Key_O), tr("Show the nearest samples"), [this] { nearestButton_->toggle(); });
    addKey(QKeySequence(Qt::Key_G), tr("Group by something else"), [this] { groupByNext(); });
    connect(model_, &RankingModel::orderChanged, this, [this] {
        showOrderInCombo();
        fillClasses(); // of the set that is listed now
        applyGrouping();
        scrollToTop(); // a new order is read from its start
        setWindowTitle(currentTitle());
    });
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        showPage();
        if (revealsLater_ && !model_->isListing()) {
            revealsLater_ = false;
            revealFocus();
        }
    });
    const auto inspect = [this](SampleId sample) { host().inspect(sample); };
    connect(gallery_, &SampleGrid::inspectRequested, this, inspect);
    connect(table_, &RankingTable::inspectRequested, this, inspect);
    connect(picker_, &RankingPicker::inspectRequested, this, inspect);
    connect(model_, &RankingModel::orderChanged, this, &Panel::choicesChanged);
    connect(model_, &RankingModel::showChanged, this, &Panel::choicesChanged);
    connect(model_, &RankingModel::listingWanted, this, [this](const std::shared_ptr<const ListingRequest>& request) {
        ask(
            "listing", tr("Ranking samples"), [request](const JobContext&) { return listSamples(*request); },
            [this](const std::shared_ptr<const RankingListing>& listing) { model_->showListing(listing); });
    });
}

void RankingView::connectGallery() {
    picker_->setVisible([this](std::size_t position) { return gallery_->layoutOfCells().isVisible(position); });
    connect(model_, &RankingModel::groupingChanged, gallery_, &SampleGrid::foldAll);
    connect(model_, &QAbstractItemModel::modelReset, gallery_, &SampleGrid::contentsChanged);
    connect(model_, &QAbstractItemModel::dataChanged, gallery_->viewport(), qOverload<>(&QWidget::update));
    connect(size_, &QSlider::valueChanged, gallery_, &SampleGrid::setEdge);
    connect(gallery_, &SampleGrid::edgeChanged, size_, &QSlider::setValue);
}

QString RankingView::currentTitle() const {
    for (const NamedOrder& order : kOrders)
        if (model_->order() == order.ranking())
            return capitalised(tr(order.title));
    const int section = model_->sectionOf(model_->order().column);
    const QString column = model_->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    return model_->order().order == Qt::AscendingOrder ? tr("By %1, lowest first").arg(column)
                                                       : tr("By %1, highest first").arg(column);
}

/// Both directions of every external column, below the orders that there always are.
void RankingView::fillExternalOrders() {
    const QSignalBlocker quiet(orderCombo_);
    externalOrders_.clear();
    while (orderCombo_->count() > static_cast<int>(kOrders.size()))
        orderCombo_->removeItem(orderCombo_->count() - 1);
    for (const Column* column : state().columns())
        if (isExternal(column->id))
            for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                externalOrders_.push_back({std::string(column->id), order, column->side});
                const QString title = column->side == Side::Real ? tr("real: %1").arg(catalogText(column->title))
                                                                 : catalogText(column->title);
                orderCombo_->addItem(order == Qt::AscendingOrder ? tr("%1, lowest first").arg(title)
                                                                 : tr("%1, highest first").arg(title));
                orderCombo_->setItemData(orderCombo_->count() - 1, metricToolTip(*column), Qt::ToolTipRole);
            }
    // An order by a column that was taken away.
    if (state().hasModel() && isExternal(model_->order().column) &&
        !state().current().hasColumn(model_->order().column))
        model_->setOrder(kOrders.front().ranking());
    showOrderInCombo();
}

void RankingView::showOrderInCombo() {
    const QSignalBlocker quiet(orderCombo_);
    const int named = static_cast<int>(kOrders.size() + externalOrders_.size());
    while (orderCombo_->count() > named)
        orderCombo_->removeItem(named);
    for (int at = 0; at < named; ++at) {
        const auto place = static_cast<std::size_t>(at);
        if (model_->order() ==
            (place < kOrders.size() ? kOrders[place].ranking() : externalOrders_[place - kOrders.size()])) {
            orderCombo_->setCurrentIndex(at);
            return;
        }
    }
    const QString text = currentTitle();
    orderCombo_->addItem(text.left(1).toLower() + text.mid(1)); // a header was clicked
    orderCombo_->setCurrentIndex(named);
}

void RankingView::fillClasses() {
    const QSignalBlocker quiet(classCombo_);
    classCombo_->clear();
    const bool labels = state().hasModel() && model_->listed().hasLabels();
    if (!labels) {
        showOptionalControls();
        return;
    }
    classCombo_->addItem(tr("all classes"));
    for (const std::string& name : model_->listed().labels().names)
        classCombo_->addItem(name.empty() ? tr("no class") : tr("class %1").arg(QString::fromStdString(name)));
    showOptionalControls();
    showFilter();
}

/// The filter is everybody's: it may have been chosen elsewhere.
void RankingView::showFilter() {
    const ViewFilter& filter = state().filter;
    const QSignalBlocker quietSearch(search_);
    if (search_->text() != filter.text)
        search_->setText(filter.text);
    if (!state().hasModel() || classCombo_->count() == 0)
        return;
    const QSignalBlocker quietClass(classCombo_);
    const auto& names = model_->listed().labels().names;
    const auto at = filter.className ? std::ranges::find(names, *filter.className) : names.end();
    classCombo_->setCurrentIndex(at == names.end() ? 0 : static_cast<int>(at - names.begin()) + 1);
}

void RankingView::showCount() {
    const auto shown = formatCount(model_->size());
    const auto all = formatCount(model_->total());
    const bool isAll = model_->size() == model_->total();
    const QString words = isAll ? tr("%1 samples").arg(shown) : tr("%1 of %2").arg(shown, all);
    count_->setText(width() >= kRoomForWords ? words : shown);
    count_->setToolTip(isAll ? tr("%1 samples are listed: all of this set").arg(shown)
                             : tr("%1 of %2 samples are listed").arg(shown, all));
    count_->setVisible(model_->total() > 0);
}

void RankingView::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    showOptionalControls();
}

void RankingView::scrollToTop() {
    gallery_->verticalScrollBar()->setValue(0);
    table_->scrollToTop();
}

void RankingView::showOptionalControls() {
    groupCombo_->setVisible(wanted_ == GalleryPage && width() >= kRoomForGroups);
    classCombo_->setVisible(classCombo_->count() > 0 && width() >= kRoomForClasses);
    nearestButton_->setVisible(wanted_ == GalleryPage && width() >= kRoomForNearest);
    showCount();
    size_->setVisible(wanted_ == GalleryPage && width() >= kRoomForSize);
}

void RankingView::showPage() {
    showCount();
    showOptionalControls();
    if (!state().hasModel())
        return;
    if (model_->size() > 0) {
        pages_->setCurrentIndex(wanted_);
        showContent();
        return;
    }
    if (model_->isListing())
        showMessage(tr("Ranking %1 samples...").arg(formatCount(model_->total())));
    else if (model_->show() == RankingShow::Selected && selection()->isEmpty())
        showMessage(tr("Nothing is selected. Click a bar of a histogram or a point in space, and the samples come "
                       "up here."));
    else if (model_->show() == RankingShow::Selected && selection()->samples().countIn(model_->listedSet()) == 0)
        showMessage(tr("Your selection is in the other set."));
    else if (model_->show() == RankingShow::Undecided && !state().shown)
        showMessage(tr("Every sample of this model has been reviewed by hand."));
    else if (model_->show() == RankingShow::Reviewed && !state().shown)
        showMessage(tr("No sample has been reviewed by hand yet. Space rejects the selected sample, A keeps it, U "
                       "marks it as unsure; V goes over the ranking one by one."));
    else
        showMessage(tr("No sample passes these filters. Show all (Ctrl+Shift+L), or list all samples."));
}

void RankingView::reveal(std::optional<std::size_t> position) {
    if (!position || model_->size() == 0)
        return;
    if (wanted_ == GalleryPage)
        gallery_->scrollTo(*position);
    else
        table_->scrollToPosition(*position);
}

void RankingView::revealFocus() {
    reveal(picker_->focusPosition());
}

void RankingView::revealFirstSelected() {
    std::optional<std::size_t> first;
    for (const SampleId sample : selection()->samples())
        if (const auto position = model_->positionOf(sample); position && (!first || *position < *first))
            first = position;
    if (first && wanted_ == GalleryPage)
        gallery_->scrollNear(*first);
    else
        reveal(first);
}

void RankingView::stateChanged(const Changes& changes) {
    model_->setState(state());
    if (changes.model) {
        fillExternalOrders();
        fillClasses();
        applyGrouping();
    } else {
        showFilter();
    }
    showPage();
    if (changes.model) {
        revealsLater_ = model_->isListing();
        revealFocus();
    }
}

void RankingView::selectionChanged() {
    model_->selectionChanged();
    const auto focus = selection()->focus();
    if (!focus) // many at once, such as a bar of a histogram: the first of them shows where they are
        revealFirstSelected();
    else if (focus != shownFocus_)
        revealFocus();
    shownFocus_ = focus;
}

} // namespace assay

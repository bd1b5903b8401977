#include "widgets/classes/nearest_classes_view.h"

#include "engine/data/brief_text.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/link/sample_selection.h"
#include "widgets/tables/heat_table.h"
#include "widgets/text/names.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace assay {
namespace {

enum OrderChoice { ByClassName, MostConfused };

/// A class as it stands in a sentence, however long its name.
QString ofClass(const NearestClasses& found, std::size_t one) {
    constexpr qsizetype kMost = 60; // letters
    const QString text = classText(found.classes[one]);
    return text.size() > kMost ? text.left(kMost) + QStringLiteral("\u2026") : text;
}

QString ofClassInHtml(const NearestClasses& found, std::size_t one) {
    return ofClass(found, one).toHtmlEscaped();
}

} // namespace

/// What is shown of one model. Cells outlive the state that they were made for.
struct NearestClassesView::Shown {
    std::shared_ptr<const ComparedClasses> compared; ///< of which the model's own are there
    std::vector<std::uint32_t> realPlace;            ///< per class of the model: its place in `ofReal`
    std::vector<std::uint32_t> rows;                 ///< classes with synthetic samples, as they are ordered
    std::vector<std::uint32_t> columns;              ///< classes with real samples

    const NearestClasses& found() const { return *compared->found; }
    const std::optional<NearestClasses>& ofReal() const { return compared->ofReal; }
    /// Share of a class's real samples whose nearest other real sample is of another; NaN where that is not known.
    double realShare(std::size_t own, std::size_t nearest) const {
        const std::size_t all = ofReal() ? ofReal()->classes.size() : 0;
        if (realPlace.empty() || realPlace[own] >= all || realPlace[nearest] >= all)
            return std::nan("");
        return ofReal()->share(realPlace[own], realPlace[nearest]);
    }
};

NearestClassesView::NearestClassesView(SampleSelection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), tools_(new QWidget(this)), table_(new HeatTable(this)),
      order_(new QComboBox(tools_)), only_(new QPushButton(tr("Show only these"), tools_)),
      note_(new WrappingLabel(this)) {
    table_->setObjectName(QStringLiteral("nearestClassesTable"));
    table_->setAccessibleName(tr("Classes of the nearest real samples"));
    order_->setObjectName(QStringLiteral("nearestClassesOrder"));
    order_->addItem(tr("In the order of classes"));
    order_->addItem(tr("Most confused first"));
    order_->setToolTip(tr("Order of the rows and columns. The most confused classes stand side by side."));
    order_->setAccessibleName(tr("Order of the classes"));
    only_->setObjectName(QStringLiteral("nearestClassesOnly"));
    only_->setCheckable(true);
    only_->setToolTip(tr("Show only the samples of the chosen cells, here and in every other panel"));
    note_->setObjectName(QStringLiteral("nearestClassesNote"));
    note_->setMargin(6);
    auto* bar = newLayout<QHBoxLayout>(tools_);
    bar->addWidget(order_);
    bar->addStretch(1);
    bar->addWidget(only_);
    auto* column = newLayout<QVBoxLayout>(this, {}, 0);
    column->addWidget(table_, 1);
    column->addWidget(note_);
    connect(order_, &QComboBox::activated, this, [this] {
        isOrderChosen_ = true;
        show();
    });
    connect(table_, &HeatTable::chosenChanged, this, &NearestClassesView::selectChosen);
    connect(table_, &HeatTable::opened, this, &NearestClassesView::filterToChosen);
    connect(only_, &QPushButton::clicked, this, &NearestClassesView::filterToChosen);
}

NearestClassesView::~NearestClassesView() = default;

void NearestClassesView::setState(const ViewState& state) {
    const bool isSame =
        state_.hasModel() && state.hasModel() && &state_.current() == &state.current() && state_.model == state.model;
    state_ = state;
    if (!isSame)
        find();
    showButton();
}

void NearestClassesView::find() {
    shown_.reset();
    isAwaited_ = state_.hasModel();
    show();
    if (isAwaited_)
        emit classesWanted();
}

void NearestClassesView::showClasses(const std::shared_ptr<const ComparedClasses>& classes) {
    if (!classes || !state_.hasModel() || classes->model.get() != &state_.current())
        return;
    isAwaited_ = false;
    shown_.reset();
    if (classes->found) {
        auto shown = std::make_shared<Shown>();
        shown->compared = classes;
        if (classes->ofReal) {
            std::unordered_map<std::string_view, std::uint32_t> places;
            for (std::uint32_t place = 0; place < classes->ofReal->classes.size(); ++place)
                places.emplace(classes->ofReal->classes[place], place);
            for (const std::string& name : classes->found->classes) {
                const auto at = places.find(name);
                shown->realPlace.push_back(at == places.end() ? static_cast<std::uint32_t>(places.size()) : at->second);
            }
        }
        if (!isOrderChosen_)
            order_->setCurrentIndex(classes->found->classes.size() > kMaxInOrder ? MostConfused : ByClassName);
        shown_ = std::move(shown);
    }
    show();
    showButton();
}

void NearestClassesView::show() {
    chosen_ = {};
    if (!shown_) {
        table_->setHeat({});
        note_->setText(isAwaited_ ? tr("Looking at the nearest real samples\u2026")
                                  : tr("This needs class labels of the real and the synthetic set."));
        return;
    }
    auto shown = std::make_shared<Shown>(*shown_);
    shown->rows.clear();
    shown->columns.clear();
    std::vector<std::uint32_t> order(shown->found().classes.size());
    for (std::uint32_t one = 0; one < order.size(); ++one)
        order[one] = one;
    if (order_->currentIndex() == MostConfused)
        order = shown->compared->order;
    HeatContent content;
    content.rowsTitle = tr("Synthetic class");
    content.columnsTitle = tr("Class of the nearest real sample");
    for (const std::uint32_t one : order) {
        if (shown->found().samples[one] > 0) {
            shown->rows.push_back(one);
            content.rows << QString::fromStdString(shown->found().classes[one]);
        }
        if (shown->found().real[one] > 0) {
            shown->columns.push_back(one);
            content.columns << QString::fromStdString(shown->found().classes[one]);
        }
    }
    content.cell = [shown](HeatPlace at) {
        const std::uint32_t own = shown->rows[at.row];
        const std::uint32_t nearest = shown->columns[at.column];
        HeatCell cell{.isSame = own == nearest};
        if (shown->found().count(own, nearest) == 0)
            return cell;
        cell.shade = shown->found().share(own, nearest);
        cell.text = formatPercent(cell.shade);
        return cell;
    };
    content.toolTip = [shown](HeatPlace at) {
        const std::uint32_t own = shown->rows[at.row];
        const std::uint32_t nearest = shown->columns[at.column];
        const QString name = ofClassInHtml(shown->found(), own);
        const QString other = ofClassInHtml(shown->found(), nearest);
        QString html =
            tr("%1 of %2 synthetic samples of %3 (%4) have their nearest real sample in %5.")
                .arg(formatCount(shown->found().count(own, nearest)), formatCount(shown->found().samples[own]),
                     QStringLiteral("<b>%1</b>").arg(name), formatPercent(shown->found().share(own, nearest)),
                     QStringLiteral("<b>%1</b>").arg(other));
        if (const double share = shown->realShare(own, nearest); !std::isnan(share))
            html +=
                QStringLiteral("<br>") + tr("Of the real samples of %1, %2 have their nearest other real sample there.")
                                             .arg(name, formatPercent(share));
        return html;
    };
    content.description = [shown](HeatPlace at) {
        const std::uint32_t own = shown->rows[at.row];
        const std::uint32_t nearest = shown->columns[at.column];
        return tr("synthetic %1, nearest real %2: %3, %4 samples")
            .arg(ofClass(shown->found(), own), ofClass(shown->found(), nearest),
                 formatPercent(shown->found().share(own, nearest)), formatCount(shown->found().count(own, nearest)));
    };
    shown_ = shown;
    table_->setHeat(std::move(content));
    showNote();
}

void NearestClassesView::showNote() {
    const NearestClasses& found = shown_->found();
    const QString name = QString::fromStdString(briefText(state_.current().name));
    QStringList sentences;
    const bool isCommon = std::ranges::any_of(shown_->rows, [&](std::uint32_t one) { return found.real[one] > 0; });
    if (!isCommon)
        sentences << tr("%1 and the real set have no class in common.").arg(name);
    else if (shown_->ofReal())
        sentences << tr("%1 of %2's samples are nearest to a real sample of their own class; among real samples the "
                        "share is %3.")
                         .arg(formatPercent(found.agreement()), name, formatPercent(shown_->ofReal()->agreement()));
    const NearestClassCount* heaviest = nullptr; // the darkest cell beside the diagonal; of several the largest
    const auto weightOf = [&](const NearestClassCount& cell) {
        return std::pair(found.share(cell.own, cell.nearest), cell.count);
    };
    for (const NearestClassCount& cell : found.cells)
        if (cell.own != cell.nearest && (heaviest == nullptr || weightOf(cell) > weightOf(*heaviest)))
            heaviest = &cell;
    if (isCommon && heaviest != nullptr) {
        const double share = found.share(heaviest->own, heaviest->nearest);
        const double real = shown_->realShare(heaviest->own, heaviest->nearest);
        QString sentence =
            tr("Most confused: %1 of the synthetic samples of %2 are nearest to real samples of %3")
                .arg(formatPercent(share), ofClass(found, heaviest->own), ofClass(found, heaviest->nearest));
        if (!std::isnan(real))
            sentence += tr(" (real samples: %1)").arg(formatPercent(real));
        sentences << sentence + QLatin1Char('.');
    }
    note_->setText(sentences.join(QLatin1Char(' ')));
}

SampleSet NearestClassesView::chosenSamples() const {
    if (!shown_)
        return {};
    std::vector<NearestClassPair> pairs;
    for (const HeatPlace& place : table_->chosen())
        pairs.push_back({shown_->rows[place.row], shown_->columns[place.column]});
    return SampleSet(state_.currentSet(), shown_->found().rows(pairs));
}

void NearestClassesView::selectChosen() {
    const QScopedValueRollback selecting(isSelecting_, true);
    chosen_ = chosenSamples();
    selection_->replace(state_.shownOf(chosen_));
    showButton();
}

void NearestClassesView::followSelection() {
    if (isSelecting_)
        return;
    table_->clearChosen(); // its samples are not the selected ones any more
    chosen_ = {};
    showButton();
}

bool NearestClassesView::isFilteredToChosen() const {
    return state_.filter.isOnly(chosen_);
}

void NearestClassesView::showButton() {
    only_->setEnabled(!chosen_.empty());
    only_->setChecked(!chosen_.empty() && isFilteredToChosen());
}

void NearestClassesView::filterToChosen() {
    const ViewFilter filter = state_.filter.toggledOnly(chosen_);
    const QScopedValueRollback selecting(isSelecting_, true);
    emit filterChosen(filter);
    selection_->replace(chosen_);
    showButton();
}

std::vector<QStringList> NearestClassesView::data() const {
    const NearestClasses& found = shown_->found();
    std::vector<QStringList> rows{{QStringLiteral("synthetic_class"), QStringLiteral("nearest_real_class"),
                                   QStringLiteral("samples"), QStringLiteral("share"),
                                   QStringLiteral("share_of_real")}};
    for (const NearestClassCount& cell : found.cells) {
        const double real = shown_->realShare(cell.own, cell.nearest);
        rows.push_back({QString::fromStdString(found.classes[cell.own]),
                        QString::fromStdString(found.classes[cell.nearest]), QString::number(cell.count),
                        dataNumber(found.share(cell.own, cell.nearest)),
                        std::isnan(real) ? QString() : dataNumber(real)});
    }
    return rows;
}

std::optional<Figure> NearestClassesView::figure(const QString& title) const {
    if (!shown_)
        return std::nullopt;
    Figure figure;
    figure.title = title;
    figure.chart = table_->figureChart();
    figure.caption =
        tr("Share of each synthetic class whose nearest real sample is of each real class. %1")
            .arg(std::max(std::ssize(shown_->rows), std::ssize(shown_->columns)) > HeatTable::kMaxInFigure
                     ? tr("The first %1 classes of %2. ")
                           .arg(formatCount(HeatTable::kMaxInFigure), formatCount(shown_->found().classes.size()))
                     : QString()) +
        figureParameters(state_);
    figure.data = data();
    return figure;
}

} // namespace assay

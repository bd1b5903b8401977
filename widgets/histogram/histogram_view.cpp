#include "widgets/histogram/histogram_view.h"

#include "engine/subsets/rules/good_samples.h"
#include "widgets/charts/plot.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/link/figure_parameters.h"

#include <QKeyEvent>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay {
namespace {

constexpr double kHeadroom = 1.03; // above the tallest bar

/// "Fidelity", "PCE (nats)".
QString axisTitle(const Column& column) {
    const QString unit = unitName(column.unit);
    const QString name = catalogText(column.title);
    return unit.isEmpty() || column.unit == Unit::Count || column.unit == Unit::Distance
               ? name
               : HistogramView::tr("%1 (%2)").arg(name, unit);
}

} // namespace

HistogramView::HistogramView(std::string columnId, SampleSelection* selection, QWidget* parent)
    : LinkedView(selection, parent), plot_(new Plot(this)), columnId_(std::move(columnId)), choice_(selection) {
    setObjectName(QStringLiteral("histogram"));
    setFocusProxy(plot_);
    plot_->setMagnified(Qt::Horizontal);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    connect(plot_, &Plot::partChanged, this, &HistogramView::draw);
    connect(plot_, &Plot::themed, this, &HistogramView::draw);
    connect(plot_, &Plot::chosen, this, [this](const PlotChoice& choice) {
        if (choice.isNew)
            choice_.begin();
        const auto [first, last] = std::minmax(choice.from.point, choice.to.point);
        choice_.step(selectionChange(choice.modifiers), samplesIn(first, last));
    });
    draw();
}

QString HistogramView::title() const {
    if (columnId_ == "fidelity")
        return tr("How faithful is each sample?");
    if (columnId_ == "coverage")
        return tr("Is each real sample covered?");
    const Column* shown = column();
    if (!shown)
        return QString::fromStdString(columnId_);
    return shown->side == Side::Real ? tr("%1 of each real sample").arg(catalogText(shown->title))
                                     : tr("%1 of each synthetic sample").arg(catalogText(shown->title));
}

const Column* HistogramView::column() const {
    return state().findColumn(columnId_);
}

const std::vector<double>* HistogramView::values() const {
    const bool isThere = state().hasModel() && state().current().hasColumn(columnId_);
    return isThere ? &state().current().column(columnId_) : nullptr;
}

SetId HistogramView::set() const {
    return column() && column()->side == Side::Real ? SetId::Real : state().currentSet();
}

void HistogramView::stateChanged(const ViewState& previous) {
    const ModelAudit* before = previous.hasModel() ? &previous.current() : nullptr;
    const ModelAudit* after = state().hasModel() ? &state().current() : nullptr;
    if (before == after && previous.model == state().model && previous.kept == state().kept &&
        previous.shown == state().shown)
        return;
    if (before != after)
        plot_->forgetCursor();
    showColumn();
}

void HistogramView::setColumn(std::string columnId) {
    columnId_ = std::move(columnId);
    plot_->forgetCursor();
    binned_.reset();
    showColumn();
}

void HistogramView::setLook(const Look& look) {
    if (look == look_)
        return;
    if (look.logarithmic != look_.logarithmic) {
        binned_.reset();
        plot_->forgetCursor();
    }
    look_ = look;
    showColumn();
}

void HistogramView::showColumn() {
    recount();
    countSelected();
    draw();
}

void HistogramView::recount() {
    counts_.clear();
    rejected_.clear();
    const std::vector<double>* all = values();
    if (!all || !column()) {
        bins_ = {};
        binOfRow_.clear();
        binned_.reset();
        return;
    }
    // Bars stay where they are while rules and filters change.
    const std::shared_ptr<const ModelAudit> of = state().audit->models[state().model];
    if (binned_ != of)
        chooseBinsFor(*all);
    binned_ = of;
    counts_.assign(bins_.count(), 0);
    rejected_.assign(bins_.count(), 0);
    const bool decided = !isReal(set()) && state().kept;
    missing_ = 0;
    const auto count = [&](std::size_t row) {
        missing_ += std::isnan((*all)[row]) ? 1 : 0;
        const std::uint8_t bin = binOfRow_[row];
        if (bin == kNoBin)
            return;
        ++counts_[bin];
        if (decided && !state().isKept(row))
            ++rejected_[bin];
    };
    if (state().shown)
        for (const SampleId sample : state().shown->in(set()))
            count(sample.row);
    else
        for (std::size_t row = 0; row < all->size(); ++row)
            count(row);
    total_ = state().shown ? state().shown->countIn(set()) : all->size();
    sumUp(counts_);
    sumUp(rejected_);
    countGood();
}

void HistogramView::chooseBinsFor(const std::vector<double>& values) {
    bins_ = chooseBins(values, column()->unit, state().audit->k);
    HistogramBins logarithmic = bins_.discrete() ? HistogramBins() : chooseLogarithmicBins(values);
    canBeLogarithmic_ = logarithmic.count() > 0;
    if (look_.logarithmic && canBeLogarithmic_)
        bins_ = std::move(logarithmic);
    binOfRow_ = binOfEach(bins_, values);
}

void HistogramView::sumUp(std::vector<std::size_t>& counts) const {
    if (look_.cumulative)
        std::partial_sum(counts.begin(), counts.end(), counts.begin());
}

void HistogramView::countGood() {
    good_.clear();
    const auto values = look_.outlined ? goodSampleValues(*state().audit, state().model, columnId_) : std::nullopt;
    if (!values || values->empty())
        return;
    std::vector<std::size_t> counts = countPerBin(bins_, *values);
    sumUp(counts);
    const double scale = static_cast<double>(total_) / static_cast<double>(values->size());
    for (const std::size_t count : counts)
        good_.push_back(scale * static_cast<double>(count));
}

void HistogramView::countSelected() {
    selected_.assign(bins_.count(), 0);
    if (!state().hasModel())
        return;
    for (const SampleId id : state().shownOf(selection()->samples().in(set())))
        if (id.row < binOfRow_.size() && binOfRow_[id.row] != kNoBin)
            ++selected_[binOfRow_[id.row]];
    sumUp(selected_);
}

void HistogramView::selectionChanged() {
    countSelected();
    draw();
}

void HistogramView::hoverChanged() {
    const auto hovered = selection()->hovered();
    const std::vector<double>* all = values();
    const bool isHere = hovered && hovered->set == set() && all && hovered->row < all->size();
    plot_->pointAt(isHere && !std::isnan((*all)[hovered->row]) ? std::optional((*all)[hovered->row]) : std::nullopt);
}

ChartAxis HistogramView::xAxis() const {
    const QString name = axisTitle(*column());
    const QString title = missing_ == 0 ? name : tr("%1; %2 without a value").arg(name, formatCount(missing_));
    const ValueRange range{bins_.edges.front(), bins_.edges.back(), false};
    ChartAxis x = bins_.logarithmic ? logarithmicAxis(title, range) : fittedAxis(title, range, {.margin = 0.0});
    x.definition = metricToolTip(*column());
    if (bins_.discrete()) {
        const bool words = column()->unit == Unit::YesNo || column()->unit == Unit::Word;
        x.ticks = bins_.values;
        for (const double value : bins_.values)
            x.names << (words ? formatValue(value, *column()) : QLocale().toString(value, 'g', 3));
    }
    return x;
}

/// Up to the tallest bar of the part that is shown.
ChartAxis HistogramView::yAxis(const ChartAxis& x) const {
    const ChartAxis& shown = plot_->isWhole() ? x : plot_->xAxis();
    double tallest = 1.0;
    for (std::size_t bin = 0; bin < bins_.count(); ++bin)
        if (bins_.edges[bin + 1] > shown.from && bins_.edges[bin] < shown.to)
            tallest = std::max({tallest, static_cast<double>(counts_[bin]), outlineOver(bin)});
    ChartAxis y = fittedAxis(isReal(set()) ? tr("real samples") : tr("synthetic samples"),
                             {0.0, kHeadroom * tallest, false}, {.margin = 0.0, .counts = true});
    y.brief = tr("samples");
    y.decimals = 0;
    return y;
}

PlotSeries HistogramView::bars() const {
    PlotSeries bars;
    bars.mark.fill = isReal(set()) ? colors::real(palette()) : colors::synthetic(palette());
    bars.barsApart = bins_.discrete();
    for (std::size_t bin = 0; bin < bins_.count(); ++bin) {
        const auto share = [&](std::size_t part) {
            return counts_[bin] > 0 ? static_cast<double>(part) / static_cast<double>(counts_[bin]) : 0.0;
        };
        bars.bars.push_back({bins_.edges[bin], bins_.edges[bin + 1], static_cast<double>(counts_[bin]),
                             share(rejected_[bin]), share(selected_[bin])});
    }
    return bars;
}

/// Good samples as a line over the bars.
PlotSeries HistogramView::outline() const {
    PlotSeries line;
    line.line = QPen(isReal(set()) ? palette().color(QPalette::WindowText) : colors::real(palette()), 2);
    line.pick = PlotSeries::Pick::Nothing;
    for (std::size_t bin = 0; bin < good_.size(); ++bin) {
        line.points.emplace_back(bins_.edges[bin], good_[bin]);
        line.points.emplace_back(bins_.edges[bin + 1], good_[bin]);
    }
    return line;
}

void HistogramView::draw() {
    setAccessibleName(title());
    plot_->setAccessibleName(title());
    PlotContent content;
    if (bins_.count() == 0) {
        content.message = state().hasModel() ? tr("No sample has a value here.")
                                             : tr("%1\nOpen a real and a synthetic set, and the answer comes up here; "
                                                  "a click on a bar selects its samples.")
                                                   .arg(title());
    } else {
        content.x = xAxis();
        content.y = yAxis(content.x);
        content.series = {bars(), outline()};
        content.isBrushed = true;
        content.describe = [this](PlotPoint at) { return binText(at.point); };
    }
    plot_->show(std::move(content));
}

SampleSet HistogramView::samplesIn(std::size_t first, std::size_t last) const {
    return state().shownOf(SampleSet::where(set(), binOfRow_.size(), [&](std::size_t row) {
        return binOfRow_[row] != kNoBin && binOfRow_[row] >= first && binOfRow_[row] <= last;
    }));
}

std::optional<ViewFilter::Range> HistogramView::chosenRange() const {
    const auto bars = plot_->barsInHand();
    if (!bars)
        return std::nullopt;
    const auto [first, last] = *bars;
    if (bins_.discrete())
        return ViewFilter::Range{columnId_, bins_.values[first], bins_.values[last]};
    // A bar holds its lower end, the last one both.
    const bool toTheEnd = last + 1 == bins_.count();
    const double end = bins_.edges[last + 1];
    return ViewFilter::Range{columnId_, bins_.edges[first],
                             toTheEnd ? end : std::nextafter(end, -std::numeric_limits<double>::infinity())};
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !selection()->isEmpty())
        selection()->clear();
    else
        LinkedView::keyPressEvent(event);
}

std::optional<Figure> HistogramView::figure() {
    if (bins_.count() == 0)
        return std::nullopt;
    Figure figure;
    figure.title = title();
    figure.chart = this;
    figure.caption =
        tr("%1: %2 %3").arg(catalogText(column()->title), catalogText(column()->definition), figureParameters(state()));
    figure.data.push_back({QStringLiteral("from"), QStringLiteral("to"), QStringLiteral("count"),
                           QStringLiteral("rejected"), QStringLiteral("selected"), QStringLiteral("good_outline")});
    for (std::size_t bin = 0; bin < bins_.count(); ++bin) {
        const double low = bins_.discrete() ? bins_.values[bin] : bins_.edges[bin];
        const double high = bins_.discrete() ? bins_.values[bin] : bins_.edges[bin + 1];
        figure.data.push_back({dataNumber(low), dataNumber(high), QString::number(counts_[bin]),
                               QString::number(rejected_[bin]), QString::number(selected_[bin]),
                               good_.empty() ? QString() : dataNumber(good_[bin])});
    }
    return figure;
}

QString HistogramView::binText(std::size_t bin) const {
    const Unit unit = column()->unit;
    QString range =
        bins_.discrete()
            ? formatValue(bins_.values[bin], *column())
            : tr("%1 to %2").arg(formatValue(bins_.edges[bin], unit), formatWithUnit(bins_.edges[bin + 1], unit));
    if (look_.cumulative && bin > 0)
        range = bins_.discrete() ? tr("up to %1").arg(range)
                                 : tr("up to %1").arg(formatWithUnit(bins_.edges[bin + 1], unit));
    const std::size_t total = std::max<std::size_t>(total_, 1);
    QString text =
        tr("<b>%1: %2</b><br>%3 of %4 samples, %5")
            .arg(catalogText(column()->title).toHtmlEscaped(), range, formatCount(counts_[bin]), formatCount(total_),
                 formatPercent(static_cast<double>(counts_[bin]) / static_cast<double>(total)));
    if (selected_[bin] > 0)
        text += tr("<br>%1 of them selected").arg(formatCount(selected_[bin]));
    if (rejected_[bin] > 0)
        text += tr("<br>%1 of them rejected").arg(formatCount(rejected_[bin]));
    if (!good_.empty())
        text += tr("<br>Expected of the same number of good samples: %1")
                    .arg(formatCount(static_cast<std::uint64_t>(std::llround(good_[bin]))));
    return text;
}

} // namespace assay

#include "widgets/distribution/histogram_view.h"

#include "engine/subsets/rules/good_samples.h"
#include "widgets/charts/plot.h"
#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/link/figure_parameters.h"

#include <QKeyEvent>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

HistogramView::HistogramView(std::string columnId, PanelHost& host)
    : Panel(host), plot_(new Plot(this)), columnId_(std::move(columnId)), choice_(selection()) {
    setObjectName(QStringLiteral("histogram"));
    setFocusProxy(plot_);
    plot_->setMagnified(Qt::Horizontal);
    auto* layout = newLayout<QVBoxLayout>(this);
    layout->addWidget(plot_);
    connect(plot_, &Plot::partChanged, this, &HistogramView::draw);
    connect(plot_, &Plot::themed, this, &HistogramView::draw);
    connect(plot_, &Plot::chosen, this, [this](const PlotChoice& choice) {
        if (choice.isNew)
            choice_.begin();
        const auto [first, last] = std::minmax(choice.from.point, choice.to.point);
        choice_.step(selectionChange(choice.modifiers), state().shownOf(counted_.samplesIn(first, last)));
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

void HistogramView::stateChanged(const Changes& changes) {
    if (!changes.model && !changes.kept && !changes.shown)
        return;
    if (changes.model)
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
    const std::vector<double>* all = values();
    if (!all || !column()) {
        counted_ = {};
        binned_.reset();
        return;
    }
    // Bars stay where they are while rules and filters change.
    const std::shared_ptr<const ModelAudit> of = state().audit->models[state().model];
    if (std::exchange(binned_, of) != of)
        counted_.choose(*all, set(), column()->unit, state().audit->k, look_.logarithmic);
    counted_.count(*all, {.shown = state().shown.get(),
                          .kept = isReal(set()) ? nullptr : state().kept.get(),
                          .isCumulative = look_.cumulative});
    const auto good = look_.outlined ? goodSampleValues(*state().audit, state().model, columnId_) : std::nullopt;
    counted_.countGood(good.value_or(std::vector<double>()));
}

void HistogramView::countSelected() {
    counted_.countSelected(state().shownOf(selection()->samples()));
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
    const QString title =
        counted_.missing() == 0 ? name : tr("%1; %2 without a value").arg(name, formatCount(counted_.missing()));
    const ValueRange range{bins().edges.front(), bins().edges.back(), false};
    ChartAxis x = bins().logarithmic ? logarithmicAxis(title, range) : fittedAxis(title, range, {.margin = 0.0});
    x.definition = metricToolTip(*column());
    if (bins().discrete()) {
        const bool words = column()->unit == Unit::YesNo || column()->unit == Unit::Word;
        x.ticks = bins().values;
        for (const double value : bins().values)
            x.names << (words ? formatValue(value, *column()) : QLocale().toString(value, 'g', 3));
    }
    return x;
}

/// Up to the tallest bar of the part that is shown.
ChartAxis HistogramView::yAxis(const ChartAxis& x) const {
    const ChartAxis& shown = plot_->isWhole() ? x : plot_->xAxis();
    double tallest = 1.0;
    for (std::size_t bin = 0; bin < bins().count(); ++bin)
        if (bins().edges[bin + 1] > shown.from && bins().edges[bin] < shown.to)
            tallest = std::max({tallest, static_cast<double>(countIn(bin)), outlineOver(bin)});
    ChartAxis y = fittedAxis(isReal(set()) ? tr("real samples") : tr("synthetic samples"),
                             {0.0, kHeadroom * tallest, false}, {.margin = 0.0, .counts = true});
    y.brief = tr("samples");
    y.decimals = 0;
    return y;
}

PlotSeries HistogramView::bars() const {
    PlotSeries bars;
    bars.mark.fill = isReal(set()) ? colors::real(palette()) : colors::synthetic(palette());
    bars.barsApart = bins().discrete();
    for (std::size_t bin = 0; bin < bins().count(); ++bin) {
        const auto share = [&](std::size_t part) {
            return countIn(bin) > 0 ? static_cast<double>(part) / static_cast<double>(countIn(bin)) : 0.0;
        };
        bars.bars.push_back({bins().edges[bin], bins().edges[bin + 1], static_cast<double>(countIn(bin)),
                             share(counted_.rejectedIn(bin)), share(selectedIn(bin))});
    }
    return bars;
}

/// Good samples as a line over the bars.
PlotSeries HistogramView::outline() const {
    PlotSeries line;
    line.line = QPen(isReal(set()) ? palette().color(QPalette::WindowText) : colors::real(palette()), 2);
    line.pick = PlotSeries::Pick::Nothing;
    for (std::size_t bin = 0; bin < counted_.good().size(); ++bin) {
        line.points.emplace_back(bins().edges[bin], counted_.good()[bin]);
        line.points.emplace_back(bins().edges[bin + 1], counted_.good()[bin]);
    }
    return line;
}

void HistogramView::draw() {
    setAccessibleName(title());
    plot_->setAccessibleName(title());
    PlotContent content;
    if (bins().count() == 0) {
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

std::optional<ViewFilter::Range> HistogramView::chosenRange() const {
    const auto bars = plot_->barsInHand();
    if (!bars)
        return std::nullopt;
    const auto [first, last] = *bars;
    if (bins().discrete())
        return ViewFilter::Range{columnId_, bins().values[first], bins().values[last]};
    // A bar holds its lower end, the last one both.
    const bool toTheEnd = last + 1 == bins().count();
    const double end = bins().edges[last + 1];
    return ViewFilter::Range{columnId_, bins().edges[first],
                             toTheEnd ? end : std::nextafter(end, -std::numeric_limits<double>::infinity())};
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !selection()->isEmpty())
        selection()->clear();
    else
        Panel::keyPressEvent(event);
}

std::optional<Figure> HistogramView::figure() {
    if (bins().count() == 0)
        return std::nullopt;
    Figure figure;
    figure.title = title();
    figure.chart = this;
    figure.caption =
        tr("%1: %2 %3").arg(catalogText(column()->title), catalogText(column()->definition), figureParameters(state()));
    figure.data.push_back({QStringLiteral("from"), QStringLiteral("to"), QStringLiteral("count"),
                           QStringLiteral("rejected"), QStringLiteral("selected"), QStringLiteral("good_outline")});
    for (std::size_t bin = 0; bin < bins().count(); ++bin) {
        const double low = bins().discrete() ? bins().values[bin] : bins().edges[bin];
        const double high = bins().discrete() ? bins().values[bin] : bins().edges[bin + 1];
        figure.data.push_back({dataNumber(low), dataNumber(high), QString::number(countIn(bin)),
                               QString::number(counted_.rejectedIn(bin)), QString::number(selectedIn(bin)),
                               counted_.good().empty() ? QString() : dataNumber(counted_.good()[bin])});
    }
    return figure;
}

QString HistogramView::binText(std::size_t bin) const {
    const Unit unit = column()->unit;
    QString range =
        bins().discrete()
            ? formatValue(bins().values[bin], *column())
            : tr("%1 to %2").arg(formatValue(bins().edges[bin], unit), formatWithUnit(bins().edges[bin + 1], unit));
    if (look_.cumulative && bin > 0)
        range = bins().discrete() ? tr("up to %1").arg(range)
                                  : tr("up to %1").arg(formatWithUnit(bins().edges[bin + 1], unit));
    const std::size_t total = std::max<std::size_t>(counted_.total(), 1);
    QString text = tr("<b>%1: %2</b><br>%3 of %4 samples, %5")
                       .arg(catalogText(column()->title).toHtmlEscaped(), range, formatCount(countIn(bin)),
                            formatCount(counted_.total()),
                            formatPercent(static_cast<double>(countIn(bin)) / static_cast<double>(total)));
    if (selectedIn(bin) > 0)
        text += tr("<br>%1 of them selected").arg(formatCount(selectedIn(bin)));
    if (counted_.rejectedIn(bin) > 0)
        text += tr("<br>%1 of them rejected").arg(formatCount(counted_.rejectedIn(bin)));
    if (!counted_.good().empty())
        text += tr("<br>Expected of the same number of good samples: %1")
                    .arg(formatCount(static_cast<std::uint64_t>(std::llround(counted_.good()[bin]))));
    return text;
}

} // namespace assay

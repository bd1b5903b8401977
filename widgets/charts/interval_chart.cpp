#include "widgets/charts/interval_chart.h"

#include "widgets/charts/axis_ticks.h"
#include "widgets/common/colors.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace assay {
namespace {

constexpr int kRowGap = 6;
constexpr int kAround = 30; // pixels of margins, ticks and gaps above and below the rows
constexpr double kPadding = 0.08;

/// As short as it can be: "0.5", "98 %".
QString shortTick(double value, IntervalAxis::Ticks ticks) {
    constexpr int kDigits = 5;
    return ticks == IntervalAxis::Ticks::Percent
               ? QLocale().toString(100.0 * value, 'g', kDigits) + QStringLiteral(" %")
               : QLocale().toString(value, 'g', kDigits);
}

} // namespace

IntervalChart::IntervalChart(QWidget* parent) : Plot(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setMagnified({});
    setFocusPolicy(Qt::NoFocus);
    connect(this, &Plot::themed, this, [this] {
        updateGeometry();
        draw();
    });
}

void IntervalChart::show(const IntervalAxis& axis, const std::vector<IntervalRow>& rows) {
    axis_ = axis;
    rows_ = rows;
    setAccessibleName(axis_.title);
    QStringList all;
    for (const IntervalRow& row : rows_)
        all << QStringLiteral("%1: %2").arg(row.name, row.text);
    setAccessibleDescription(all.join(QStringLiteral("; ")));
    updateGeometry();
    draw();
}

ChartAxis IntervalChart::valueAxis() const {
    ValueRange range;
    for (const IntervalRow& row : rows_)
        range.include({row.value, row.low, row.high});
    range.include(axis_.reference.value_or(IntervalRow::kNone));
    if (range.empty)
        range = {axis_.lowest, axis_.lowest + 1.0, false};
    const double span = range.high - range.low;
    const double room = kPadding * span + std::max(0.0, std::max(axis_.leastSpan, 1e-9) - span) / 2.0;
    ChartAxis axis{axis_.title, std::max(axis_.lowest, range.low - room), std::min(axis_.highest, range.high + room)};
    axis.definition = axis_.definition;
    constexpr int kMaxWanted = 12;
    for (int wanted = 4; axis.ticks.size() < 2 && wanted < kMaxWanted; ++wanted) // one alone tells no scale
        axis.ticks = axisTicks(axis.from, axis.to, wanted);
    for (const double tick : axis.ticks)
        axis.names << shortTick(tick, axis_.ticks);
    return axis;
}

/// Shapes tell the marks apart where colours do not.
PlotSeries IntervalChart::seriesOf(std::size_t row) const {
    const IntervalRow& shown = rows_[row];
    const QColor color = shown.mark == IntervalRow::Mark::Real     ? colors::real(palette())
                         : shown.mark == IntervalRow::Mark::Random ? colors::mutedText(palette())
                                                                   : colors::synthetic(palette());
    const bool isHollow = shown.mark == IntervalRow::Mark::Kept || shown.mark == IntervalRow::Mark::Random;
    PlotSeries series;
    series.points = {{shown.value, heightOf(row)}};
    series.across = {{shown.low, shown.high}};
    series.mark.shape = shown.mark == IntervalRow::Mark::Real     ? MarkShape::Square
                        : shown.mark == IntervalRow::Mark::Random ? MarkShape::Diamond
                                                                  : MarkShape::Circle;
    series.mark.size = 9.0;
    series.mark.fill = isHollow ? palette().color(QPalette::Base) : color;
    series.mark.edge = QPen(color, 2.0);
    series.pick = PlotSeries::Pick::Described;
    return series;
}

PlotSeries IntervalChart::reference() const {
    PlotSeries series;
    series.points = {{axis_.reference.value_or(IntervalRow::kNone), 0.0}};
    series.names = {axis_.referenceName};
    series.isUpright = true;
    series.line = QPen(palette().color(QPalette::WindowText), 1.0, Qt::DashLine);
    series.pick = PlotSeries::Pick::Nothing;
    return series;
}

void IntervalChart::draw() {
    PlotContent content;
    if (!rows_.empty()) {
        content.x = valueAxis();
        content.y = {QString(), -0.5, heightOf(0) + (axis_.reference ? 1.2 : 0.5)};
        content.y.elideNames = true;
        for (std::size_t row = rows_.size(); row-- > 0;)
            content.y.ticks.push_back(heightOf(row));
        content.right = content.y;
        for (std::size_t row = rows_.size(); row-- > 0;) {
            content.y.names << rows_[row].name;
            content.right->names << rows_[row].text;
        }
        content.series.push_back(reference());
        for (std::size_t row = 0; row < rows_.size(); ++row)
            content.series.push_back(seriesOf(row));
        content.describe = [this](PlotPoint at) { return rows_[at.series - 1].toolTip; };
    }
    Plot::show(std::move(content));
}

QSize IntervalChart::sizeHint() const {
    const int line = fontMetrics().height();
    const auto rows = static_cast<int>(rows_.size()) + (axis_.reference ? 1 : 0);
    return {320, rows * (line + kRowGap) + 2 * line + kAround};
}

} // namespace assay

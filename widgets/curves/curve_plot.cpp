#include "widgets/curves/curve_plot.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/curves/curve_legend.h"
#include "widgets/text/names.h"

#include <QCoreApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <set>

namespace assay {
namespace {

constexpr double kStrongWidth = 3.2;

/// Translation context of this file's texts.
struct CurvePlotWords {
    Q_DECLARE_TR_FUNCTIONS(assay::CurveChart)
};

QString withUnit(const std::string& text, Unit unit) {
    const QString title = QString::fromStdString(text);
    const QString name = unit == Unit::Nats ? unitName(unit) : QString();
    return name.isEmpty() || title.contains(name, Qt::CaseInsensitive) ? title
                                                                       : CurvePlotWords::tr("%1 (%2)").arg(title, name);
}

ChartAxis xAxisOf(const CurveDrawing& drawing) {
    ValueRange range;
    std::set<double> values;
    for (const ChartLine& line : drawing.lines) {
        range.include(*line.x);
        values.insert(line.x->begin(), line.x->end());
    }
    const QString title = withUnit(drawing.axes.xTitle, drawing.axes.xUnit);
    if (!drawing.axes.logarithmicX || range.low <= 0.0)
        return fittedAxis(
            title, range,
            {.margin = 0.02, .counts = drawing.axes.xUnit == Unit::Count, .shares = drawing.axes.xUnit == Unit::Share});
    if (range.low == range.high)
        range = {range.low / 1.5, range.high * 1.5, false};
    ChartAxis axis = logarithmicAxis(title, range, 0.03);
    axis.ticks.assign(values.begin(), values.end());
    axis.names.clear();
    return axis;
}

QString yTitleOf(const CurveDrawing& drawing) {
    std::optional<Unit> unit;
    for (std::size_t i = 0; i < drawing.lines.size(); ++i) {
        if (!drawing.shown[i])
            continue;
        if (unit && !shareAnAxis(*unit, drawing.lines[i].unit))
            return QString::fromStdString(drawing.axes.yTitle); // several units: each line's name says its own
        unit = drawing.lines[i].unit;
    }
    return withUnit(drawing.axes.yTitle, unit.value_or(drawing.axes.yUnit));
}

ChartAxis yAxisOf(const CurveDrawing& drawing) {
    ValueRange range;
    bool shares = true;
    for (std::size_t i = 0; i < drawing.lines.size(); ++i) {
        if (!drawing.shown[i])
            continue;
        shares = shares && drawing.lines[i].unit == Unit::Share;
        for (const std::vector<double>* values :
             {&drawing.lines[i].line->y, &drawing.lines[i].line->low, &drawing.lines[i].line->high})
            range.include(*values);
    }
    for (const ChartMark& mark : drawing.marks)
        if (mark.line && drawing.isDrawn(mark))
            range.include(mark.y);
    return fittedAxis(yTitleOf(drawing), range, {.shares = shares});
}

bool hasBand(const CurveLine& line) {
    return line.low.size() == line.y.size() && line.high.size() == line.y.size();
}

QString alongText(const CurveDrawing& drawing, const ChartLine& line, std::size_t point) {
    const double value = (*line.along)[point];
    const bool share = drawing.axes.alongUnit == Unit::Share;
    return CurvePlotWords::tr("%1: %2").arg(QString::fromStdString(drawing.axes.alongTitle),
                                            share ? formatPercent(value)
                                                  : formatWithUnit(value, drawing.axes.alongUnit));
}

PlotSeries seriesOf(const CurveDrawing& drawing, std::size_t at, const QPalette& palette) {
    const ChartLine& line = drawing.lines[at];
    PlotSeries series{.pick = PlotSeries::Pick::Nothing};
    if (!drawing.shown[at])
        return series;
    const bool isHighlighted = at == drawing.highlighted;
    const LineStyle style = lineStyle(line, palette);
    series.pick = PlotSeries::Pick::Line;
    series.isAbove = isHighlighted || (!drawing.highlighted && line.current);
    series.line = style.pen;
    if (isHighlighted)
        series.line.setWidthF(kStrongWidth);
    series.mark = style.mark;
    for (std::size_t point = 0; point < line.x->size(); ++point)
        series.points.emplace_back((*line.x)[point], line.line->y[point]);
    if (hasBand(*line.line) && (!line.model || series.isAbove)) { // bands of a dozen models would hide each other
        series.band = style.pen.color();
        series.band.setAlphaF(0.16F);
        for (std::size_t point = 0; point < series.points.size(); ++point)
            series.upwards.push_back({line.line->low[point], line.line->high[point]});
    }
    return series;
}

/// Names the ends of lines that are not drawn from left to right, so that their direction can be seen; equal ends, as
/// lines often begin at one point, once.
void nameEnds(const CurveDrawing& drawing, std::vector<PlotSeries>& series) {
    std::vector<QPointF> named;
    for (std::size_t at = 0; at < drawing.lines.size(); ++at) {
        PlotSeries& one = series[at];
        if (!drawing.lines[at].along || one.points.empty())
            continue;
        one.names = QStringList(static_cast<qsizetype>(one.points.size()));
        for (const std::size_t point : {std::size_t{0}, one.points.size() - 1}) {
            if (std::ranges::count(named, one.points[point]) > 0)
                continue;
            named.push_back(one.points[point]);
            one.names[static_cast<qsizetype>(point)] = alongText(drawing, drawing.lines[at], point);
        }
    }
}

PlotSeries seriesOf(const CurveDrawing& drawing, const ChartMark& mark, const QPalette& palette) {
    PlotSeries series;
    if (!drawing.isDrawn(mark))
        return series;
    series.points = {{mark.x, mark.y}};
    if (mark.shape == ChartMark::Shape::OwnK) {
        series.isUpright = true;
        series.names = {CurvePlotWords::tr("k = %1").arg(formatCount(static_cast<std::uint64_t>(mark.x)))};
        series.line = QPen(colors::mutedText(palette), 1.2, Qt::DashLine);
        return series;
    }
    const bool isAbove = mark.shape == ChartMark::Shape::Above;
    const bool isBelow = mark.shape == ChartMark::Shape::Below;
    series.mark.shape = isAbove ? MarkShape::TriangleUp : isBelow ? MarkShape::TriangleDown : MarkShape::Circle;
    series.mark.size = (mark.current ? 10.0 : 8.0) + (isAbove || isBelow ? 2.0 : 0.0);
    series.mark.fill =
        mark.current ? colors::synthetic(palette) : lineStyle(drawing.lines[*mark.line], palette).pen.color();
    series.mark.edge = QPen(palette.color(QPalette::Text), 1.2);
    series.hasGuides = mark.shape == ChartMark::Shape::Landed && mark.current;
    return series;
}

} // namespace

PlotContent curveContent(const CurveDrawing& drawing, const QPalette& palette) {
    PlotContent content;
    if (drawing.lines.empty())
        return content;
    content.x = xAxisOf(drawing);
    content.y = yAxisOf(drawing);
    content.description = PlotContent::Description::Beside;
    for (std::size_t at = 0; at < drawing.lines.size(); ++at)
        content.series.push_back(seriesOf(drawing, at, palette));
    nameEnds(drawing, content.series);
    for (const ChartMark& mark : drawing.marks)
        content.series.push_back(seriesOf(drawing, mark, palette));
    if (std::ranges::none_of(drawing.shown, std::identity()))
        content.message = CurvePlotWords::tr("Tick a line to draw it.");
    return content;
}

QString markFacts(const AuditResult& audit, const ChartMark& mark) {
    if (mark.shape == ChartMark::Shape::OwnK)
        return CurvePlotWords::tr("k of this audit: %1").arg(formatCount(audit.k));
    const auto fact = [](const Metric& metric, double value) {
        return QStringLiteral("%1: %2").arg(catalogText(metric.title), formatWithUnit(value, metric.unit));
    };
    const QString name = markedName(*audit.models[*mark.model]);
    if (mark.shape == ChartMark::Shape::Landed)
        return QStringLiteral("%1\n%2\n%3")
            .arg(name, fact(*findMetric("clipped_coverage_unnormalized"), mark.y),
                 fact(*findMetric("clipped_coverage"), mark.x));
    const QString share = formatPercent(mark.x);
    const QString place = mark.shape == ChartMark::Shape::Point
                              ? CurvePlotWords::tr("Equivalent bad fraction: %1").arg(share)
                              : CurvePlotWords::tr("Beyond the curve's end: %1 with %2 bad samples")
                                    .arg(formatWithUnit(mark.end, mark.metric->unit), share);
    return QStringLiteral("%1\n%2\n%3").arg(name, fact(*mark.metric, mark.score), place);
}

QString marksText(const CurveChoice& choice, const std::vector<ChartMark>& marks) {
    if (marks.empty())
        return {};
    if (choice.values->id == "coverage_calibration")
        return CurvePlotWords::tr("Outlined circles: each model's mean coverage and its clipped coverage.");
    if (!isBadFraction(choice))
        return {};
    const QString text =
        CurvePlotWords::tr("Outlined circles: each model's own score, at its equivalent bad fraction.");
    const bool beyond = std::ranges::any_of(marks, [](const ChartMark& mark) {
        return mark.shape == ChartMark::Shape::Above || mark.shape == ChartMark::Shape::Below;
    });
    return beyond ? CurvePlotWords::tr("%1 Triangles: scores beyond the ends of their curve.").arg(text) : text;
}

QString curveReadOut(const CurveDrawing& drawing, PlotPoint at) {
    if (at.series >= drawing.lines.size())
        return drawing.markFacts[static_cast<qsizetype>(at.series - drawing.lines.size())];
    const ChartLine& line = drawing.lines[at.series];
    QString y = formatWithUnit(line.line->y[at.point], line.unit);
    if (hasBand(*line.line))
        y = CurvePlotWords::tr("%1 [%2, %3]")
                .arg(y, formatValue(line.line->low[at.point], line.unit),
                     formatValue(line.line->high[at.point], line.unit));
    QString text = CurvePlotWords::tr("%1\n%2: %3\n%4: %5")
                       .arg(QString::fromStdString(line.name), QString::fromStdString(drawing.axes.xTitle),
                            formatWithUnit((*line.x)[at.point], drawing.axes.xUnit),
                            QString::fromStdString(drawing.axes.yTitle), y);
    if (line.along)
        text += QLatin1Char('\n') + alongText(drawing, line, at.point);
    return text;
}

} // namespace assay

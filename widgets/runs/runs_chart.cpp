#include "widgets/runs/runs_chart.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/text/names.h"
#include "widgets/text/score_text.h"

#include <QCoreApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <map>

namespace assay {
namespace {

constexpr double kFarApart = 30.0; // numbers whose largest is so many times the smallest stand on a logarithmic axis
constexpr qsizetype kLettersOfRun = 60;

/// Translation context of this file's texts.
struct RunWords {
    Q_DECLARE_TR_FUNCTIONS(assay::RunsChart)
};

QString numberTitle(const ModelRun& run) {
    if (run.hasWords)
        return RunWords::tr("Model of the run");
    return run.parameter.empty() ? RunWords::tr("Number in the name") : QString::fromStdString(run.parameter).left(30);
}

ChartAxis numberAxis(const std::vector<ModelRun>& runs) {
    std::map<double, QString> texts;
    ValueRange range;
    for (const ModelRun& run : runs)
        for (const RunPoint& point : run.points) {
            range.include(point.at);
            texts.emplace(point.at,
                          point.text.empty() ? RunWords::tr("end") : QString::fromStdString(point.text).left(20));
        }
    const bool isLogarithmic = !runs.front().hasWords && range.low > 0.0 && range.high / range.low >= kFarApart;
    const QString title = numberTitle(runs.front());
    ChartAxis axis = isLogarithmic ? logarithmicAxis(title, range, 0.04) : fittedAxis(title, range, {.margin = 0.06});
    axis.ticks.clear();
    axis.names.clear();
    for (const auto& [at, text] : texts) {
        axis.ticks.push_back(at);
        axis.names << text;
    }
    return axis;
}

} // namespace

QString runTitle(const ModelRun& run) {
    const QString title =
        QString::fromStdString(run.prefix) + QStringLiteral("\u2026") + QString::fromStdString(run.suffix);
    if (title.size() <= kLettersOfRun)
        return title;
    return title.left(kLettersOfRun / 2) + QStringLiteral("\u2026") + title.right(kLettersOfRun / 2);
}

PlotSeries runStyle(std::size_t run, const QPalette& palette) {
    const bool isFirst = run == 0;
    const QColor color =
        isFirst ? colors::synthetic(palette) : colors::line(run + 1, palette); // line 0 is like the first run
    PlotSeries series;
    series.line = QPen(color, 1.5, isFirst ? Qt::SolidLine : Qt::DashLine);
    series.mark = {isFirst ? MarkShape::Circle : MarkShape::Square, isFirst ? 9.0 : 7.0, color, // not by colour alone
                   QPen(palette.color(QPalette::Base), 1.5)};
    return series;
}

PlotContent runsContent(const ViewState& state, const std::vector<ModelRun>& runs, const Metric& metric,
                        const QPalette& palette) {
    PlotContent content{.x = numberAxis(runs), .current = state.model};
    ValueRange values;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        PlotSeries series = runStyle(run, palette);
        for (const RunPoint& point : runs[run].points) {
            const ModelAudit& model = *state.audit->models[point.model];
            const MetricInterval* interval = run == 0 ? model.interval(metric.id) : nullptr;
            const PlotInterval drawn = interval ? PlotInterval{interval->low, interval->high} : PlotInterval();
            values.include({metricOr(model, metric.id), drawn.low, drawn.high});
            series.points.emplace_back(point.at, metricOr(model, metric.id));
            series.upwards.push_back(drawn);
            series.ids.push_back(point.model);
        }
        content.series.push_back(std::move(series));
    }
    content.y = fittedAxis(titleWithUnit(metric), values, {.margin = 0.05, .shares = metric.unit == Unit::Share});
    content.y.definition = metricToolTip(metric);
    return content;
}

} // namespace assay

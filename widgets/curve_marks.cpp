#include "widgets/curve_marks.h"

#include "engine/curves/bad_fraction.h"
#include "engine/curves/demanded.h"
#include "widgets/model_summary.h"
#include "widgets/number_format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("assay::CurveMarks", text);
}

bool isBadFraction(const CurveChoice& choice) {
    return choice.values->id == "bad_fraction" || choice.values->id == "bad_fraction_relative";
}

QString fact(std::string_view title, double value, Unit unit) {
    return QStringLiteral("%1: %2").arg(catalogText(title), formatWithUnit(value, unit));
}

/// A model's score on its metric's line, at the share of bad samples that scores the same.
std::optional<ChartMark> scoreMark(const ModelAudit& model, const CurveValues& raw, const ChartLine& line) {
    const Metric* metric = line.controlOf || line.ideal ? nullptr : findMetric(line.line->name);
    if (!metric)
        return std::nullopt;
    const double score = metricOr(model, metric->id);
    const double share = equivalentBadFraction(raw, metric->id, score);
    const double y = valueOn(*line.x, line.line->y, share);
    if (!std::isfinite(y))
        return std::nullopt;
    const QString told = QStringLiteral("%1\n%2\n%3")
                             .arg(markedName(model), fact(metric->title, score, metric->unit),
                                  tr("Equivalent bad fraction: %1").arg(formatValue(share, Unit::Share)));
    return ChartMark{ChartMark::Shape::Point, {}, {share, y}, told};
}

/// A model's mean coverage and the share of good samples that the calibration makes of it.
std::optional<ChartMark> coverageMark(const ModelAudit& model) {
    const double mean = metricOr(model, "clipped_coverage_unnormalized");
    const double calibrated = metricOr(model, "clipped_coverage");
    if (!std::isfinite(mean) || !std::isfinite(calibrated))
        return std::nullopt;
    const QString told =
        QStringLiteral("%1\n%2\n%3")
            .arg(markedName(model), fact(findMetric("clipped_coverage_unnormalized")->title, mean, Unit::Share),
                 fact(findMetric("clipped_coverage")->title, calibrated, Unit::Share));
    return ChartMark{ChartMark::Shape::Landed, {}, {calibrated, mean}, told};
}

ChartMark ownK(const AuditResult& audit) {
    const QString k = formatCount(audit.k);
    ChartMark mark{
        ChartMark::Shape::Upright, {}, {static_cast<double>(audit.k), 0.0}, tr("k of this audit: %1").arg(k)};
    mark.label = tr("k = %1").arg(k);
    return mark;
}

std::vector<ChartMark> scoreMarks(const AuditResult& audit, const std::vector<ChartLine>& lines) {
    std::vector<ChartMark> marks;
    const DemandedCurve* raw = findDemanded(audit, "bad_fraction"); // a relative line has lost the scores' scale
    for (std::size_t line = 0; raw && line < lines.size(); ++line)
        for (std::size_t m = 0; m < audit.models.size(); ++m)
            if (auto mark = scoreMark(*audit.models[m], raw->values, lines[line])) {
                mark->line = line;
                mark->model = m;
                marks.push_back(std::move(*mark));
            }
    return marks;
}

std::vector<ChartMark> coverageMarks(const AuditResult& audit, const std::vector<ChartLine>& lines) {
    std::vector<ChartMark> marks;
    for (std::size_t line = 0; line < lines.size(); ++line)
        if (lines[line].model)
            if (auto mark = coverageMark(*audit.models[*lines[line].model])) {
                mark->line = line;
                mark->model = lines[line].model;
                marks.push_back(std::move(*mark));
            }
    return marks;
}

} // namespace

std::vector<ChartMark> chartMarks(const AuditResult& audit, std::size_t model, const CurveChoice& choice,
                                  const std::vector<ChartLine>& lines) {
    std::vector<ChartMark> marks;
    if (choice.values->id == "k_sensitivity" && std::ranges::count(choice.values->x, static_cast<double>(audit.k)) > 0)
        marks.push_back(ownK(audit));
    if (choice.values->id == "coverage_calibration")
        marks = coverageMarks(audit, lines);
    if (isBadFraction(choice))
        marks = scoreMarks(audit, lines);
    for (ChartMark& mark : marks)
        mark.current = mark.model == model;
    std::stable_partition(marks.begin(), marks.end(), [](const ChartMark& mark) { return !mark.current; });
    return marks;
}

QString marksText(const CurveChoice& choice) {
    if (isBadFraction(choice))
        return tr("Outlined circles: each model's own score, at its equivalent bad fraction.");
    if (choice.values->id == "coverage_calibration")
        return tr("Outlined circles: each model's mean coverage, and the clipped coverage that it comes to.");
    return {};
}

double valueOn(const std::vector<double>& x, const std::vector<double>& y, double at) {
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        if (x[i] == at)
            return y[i];
        if (i > 0 && x[i - 1] < at && at < x[i])
            return y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1]);
    }
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace assay

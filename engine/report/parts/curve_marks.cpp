#include "engine/report/parts/curve_marks.h"

#include "engine/subsets/curves/bad_fraction.h"
#include "engine/subsets/curves/requested_curves.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

double metricOr(const ModelAudit& model, std::string_view id) {
    return model.hasMetric(id) ? model.metric(id) : std::numeric_limits<double>::quiet_NaN();
}

/// A model's score at the share of bad samples that scores the same, or beside the end of its metric's line.
/// @param relative whether the line is of the relative curve, which has another scale than the scores
std::optional<ChartMark> scoreMark(const ModelAudit& model, const CurveValues& raw, const ChartLine& line,
                                   bool relative) {
    const Metric* metric = line.controlOf || line.ideal ? nullptr : findMetric(line.line->name);
    if (!metric)
        return std::nullopt;
    const double score = metricOr(model, metric->id);
    const double share = equivalentBadFraction(raw, metric->id, score);
    if (!std::isfinite(score) || !std::isfinite(share))
        return std::nullopt;
    const std::vector<double>& scores = std::ranges::find(raw.lines, line.line->name, &CurveLine::name)->y;
    const double y = relative ? relativeToFirst(*metric, score, scores.front()) : score;
    if (!std::isfinite(y))
        return std::nullopt;
    ChartMark mark{.x = share, .y = y, .metric = metric, .score = score};
    if (isBeyondEnds(raw, metric->id, score)) {
        mark.end = share == raw.x.front() ? scores.front() : scores.back();
        mark.shape = score > mark.end ? ChartMark::Shape::Above : ChartMark::Shape::Below;
    }
    return mark;
}

/// A model's mean coverage and the share of good samples that the calibration makes of it.
std::optional<ChartMark> coverageMark(const ModelAudit& model) {
    const double mean = metricOr(model, "clipped_coverage_unnormalized");
    const double calibrated = metricOr(model, "clipped_coverage");
    if (!std::isfinite(mean) || !std::isfinite(calibrated))
        return std::nullopt;
    return ChartMark{.shape = ChartMark::Shape::Landed, .x = calibrated, .y = mean};
}

std::vector<ChartMark> scoreMarks(const AuditResult& audit, const CurveChoice& choice,
                                  const std::vector<ChartLine>& lines) {
    std::vector<ChartMark> marks;
    const RequestedCurve* raw = findRequestedCurve(audit, "bad_fraction"); // a relative line has lost the scores' scale
    const bool relative = choice.values->id != "bad_fraction";
    for (std::size_t line = 0; raw && line < lines.size(); ++line)
        for (std::size_t m = 0; m < audit.models.size(); ++m)
            if (auto mark = scoreMark(*audit.models[m], raw->values, lines[line], relative)) {
                mark->line = line;
                mark->model = m;
                marks.push_back(*mark);
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
                marks.push_back(*mark);
            }
    return marks;
}

} // namespace

bool isBadFraction(const CurveChoice& choice) {
    return choice.values->id == "bad_fraction" || choice.values->id == "bad_fraction_relative";
}

std::vector<ChartMark> chartMarks(const AuditResult& audit, std::size_t model, const CurveChoice& choice,
                                  const std::vector<ChartLine>& lines) {
    std::vector<ChartMark> marks;
    if (choice.values->id == "k_sensitivity" && std::ranges::count(choice.values->x, static_cast<double>(audit.k)) > 0)
        marks.push_back({.shape = ChartMark::Shape::OwnK, .x = static_cast<double>(audit.k)});
    if (choice.values->id == "coverage_calibration")
        marks = coverageMarks(audit, lines);
    if (isBadFraction(choice))
        marks = scoreMarks(audit, choice, lines);
    for (ChartMark& mark : marks)
        mark.current = mark.model == model;
    std::stable_partition(marks.begin(), marks.end(), [](const ChartMark& mark) { return !mark.current; });
    return marks;
}

} // namespace assay

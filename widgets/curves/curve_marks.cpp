#include "widgets/curves/curve_marks.h"

#include "engine/subsets/curves/bad_fraction.h"
#include "engine/subsets/curves/requested_curves.h"
#include "widgets/common/number_format.h"
#include "widgets/text/model_summary.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct CurveMarksWords {
    Q_DECLARE_TR_FUNCTIONS(assay::CurveMarks)
};

bool isBadFraction(const CurveChoice& choice) {
    return choice.values->id == "bad_fraction" || choice.values->id == "bad_fraction_relative";
}

QString fact(std::string_view title, double value, Unit unit) {
    return QStringLiteral("%1: %2").arg(catalogText(title), formatWithUnit(value, unit));
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
    ChartMark mark{ChartMark::Shape::Point, {}, {share, y}, {}};
    QString place = CurveMarksWords::tr("Equivalent bad fraction: %1").arg(formatPercent(share));
    if (isBeyondEnds(raw, metric->id, score)) {
        const double end = share == raw.x.front() ? scores.front() : scores.back();
        mark.shape = score > end ? ChartMark::Shape::Above : ChartMark::Shape::Below;
        place = CurveMarksWords::tr("Beyond the curve's end: %1 with %2 bad samples")
                    .arg(formatWithUnit(end, metric->unit), formatPercent(share));
    }
    mark.facts = QStringLiteral("%1\n%2\n%3").arg(markedName(model), fact(metric->title, score, metric->unit), place);
    return mark;
}

/// A model's mean coverage and the share of good samples that the calibration makes of it.
std::optional<ChartMark> coverageMark(const ModelAudit& model) {
    const double mean = metricOr(model, "clipped_coverage_unnormalized");
    const double calibrated = metricOr(model, "clipped_coverage");
    if (!std::isfinite(mean) || !std::isfinite(calibrated))
        return std::nullopt;
    const QString facts =
        QStringLiteral("%1\n%2\n%3")
            .arg(markedName(model), fact(findMetric("clipped_coverage_unnormalized")->title, mean, Unit::Share),
                 fact(findMetric("clipped_coverage")->title, calibrated, Unit::Share));
    return ChartMark{ChartMark::Shape::Landed, {}, {calibrated, mean}, facts};
}

ChartMark ownK(const AuditResult& audit) {
    const QString k = formatCount(audit.k);
    ChartMark mark{ChartMark::Shape::Upright,
                   {},
                   {static_cast<double>(audit.k), 0.0},
                   CurveMarksWords::tr("k of this audit: %1").arg(k)};
    mark.label = CurveMarksWords::tr("k = %1").arg(k);
    return mark;
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
        marks = scoreMarks(audit, choice, lines);
    for (ChartMark& mark : marks)
        mark.current = mark.model == model;
    std::stable_partition(marks.begin(), marks.end(), [](const ChartMark& mark) { return !mark.current; });
    return marks;
}

QString marksText(const CurveChoice& choice, const std::vector<ChartMark>& marks) {
    if (marks.empty())
        return {};
    if (choice.values->id == "coverage_calibration")
        return CurveMarksWords::tr("Outlined circles: each model's mean coverage and its clipped coverage.");
    if (!isBadFraction(choice))
        return {};
    const QString text =
        CurveMarksWords::tr("Outlined circles: each model's own score, at its equivalent bad fraction.");
    const bool beyond = std::ranges::any_of(marks, [](const ChartMark& mark) {
        return mark.shape == ChartMark::Shape::Above || mark.shape == ChartMark::Shape::Below;
    });
    return beyond ? CurveMarksWords::tr("%1 Triangles: scores beyond the ends of their curve.").arg(text) : text;
}

} // namespace assay

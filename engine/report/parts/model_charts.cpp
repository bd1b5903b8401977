#include "engine/report/parts/charts.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/report/parts/chart_area.h"
#include "engine/report/parts/report_facts.h"
#include "engine/subsets/curves/bad_fraction.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace assay::report {
namespace {

constexpr double kSquareHeight = 340.0;
constexpr double kMarkReach = 7.0;
constexpr double kDigitWidth = 7.5;

std::vector<double> fifths() {
    return {0.0, 0.2, 0.4, 0.6, 0.8, 1.0};
}

/// A mark in a chart: its models and its position.
struct PlacedMark {
    std::size_t model; ///< the first of the models
    double x, y;       ///< in SVG units
    std::string label;
    std::vector<std::size_t> models{}; ///< all models, ascending; filled only when models can share a mark
};

/// Text such as "1, 3–12": numbers of models, counted from 1.
std::string placesText(const std::vector<std::size_t>& models) {
    std::string text;
    for (std::size_t at = 0; at < models.size();) {
        std::size_t end = at;
        while (end + 1 < models.size() && models[end + 1] == models[end] + 1)
            ++end;
        const bool isRun = end > at + 1;
        text += (text.empty() ? "" : ", ") + std::to_string(models[at] + 1) +
                (isRun ? "\xE2\x80\x93" + std::to_string(models[end] + 1) : std::string());
        at = isRun ? end + 1 : at + 1;
    }
    return text;
}

/// Number of code points in UTF-8 text.
double characters(const std::string& text) {
    return static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Draws the marks, then the labels in the remaining space.
void drawMarks(const ChartArea& area, const std::vector<PlacedMark>& marks) {
    constexpr double kSlack = 4.0;
    LabelPlaces places(area.left(), area.top() - kSlack, area.right() + kSlack, area.bottom());
    for (const PlacedMark& mark : marks)
        places.block(mark.x, mark.y, kMarkReach);
    std::vector<LabelPlaces::Place> found;
    for (const PlacedMark& mark : marks) {
        found.push_back(places.place(mark.x, mark.y, kDigitWidth * characters(mark.label)));
        if (found.back().isFar)
            area.html().empty(
                "line",
                {{"class", "leader"}, {"x1", mark.x}, {"y1", mark.y}, {"x2", found.back().x}, {"y2", found.back().y}});
    }
    for (const PlacedMark& mark : marks)
        drawModelMark(area.html(), mark.model, mark.x, mark.y);
    for (std::size_t m = 0; m < marks.size(); ++m)
        area.html().leaf("text", marks[m].label,
                         {{"class", "label middle"}, {"x", found[m].x}, {"y", found[m].y + 4.0}});
}

void drawInterval(const ChartArea& area, std::size_t model, const ModelAudit& audited) {
    const std::string style = "interval c" + std::to_string(model % 6);
    const double x = audited.metric("clipped_density");
    const double y = audited.metric("clipped_coverage");
    if (const MetricInterval* across = audited.interval("clipped_density"))
        area.line(across->low, y, across->high, y, style);
    if (const MetricInterval* along = audited.interval("clipped_coverage"))
        area.line(x, along->low, x, along->high, style);
}

bool isScored(const ModelAudit& model) {
    return model.hasMetric("clipped_density") && model.hasMetric("clipped_coverage") &&
           std::isfinite(model.metric("clipped_density")) && std::isfinite(model.metric("clipped_coverage"));
}

std::string pointsInWords(const AuditResult& audit) {
    std::string text;
    for (const Audited& audited : auditedSets(audit))
        if (audited.number > 0 && isScored(*audited.model))
            text += audited.name() + ": fidelity " + roundedText(audited.model->metric("clipped_density")) +
                    ", coverage " + roundedText(audited.model->metric("clipped_coverage")) + ". ";
    return text + "Good models are at the top right.";
}

void drawCurveLine(const ChartArea& area, const CurveValues& raw, const CurveLine& line, const std::string& style) {
    std::string points;
    for (std::size_t at = 0; at < raw.x.size(); ++at)
        if (std::isfinite(line.y[at]))
            points +=
                (points.empty() ? "" : " ") + svgNumber(area.xOf(raw.x[at])) + "," + svgNumber(area.yOf(line.y[at]));
    area.html().empty("polyline", {{"class", style}, {"points", points}});
}

/// Places each model at its score on a metric's line; models at the same place share a mark.
std::vector<PlacedMark> marksOnLine(const ChartArea& area, const AuditResult& audit, const CurveValues& raw,
                                    std::string_view metric) {
    constexpr double kSame = 9.0;
    std::vector<PlacedMark> marks;
    for (std::size_t m = 0; m < audit.models.size(); ++m) {
        if (!audit.models[m]->hasMetric(metric))
            continue;
        const double score = audit.models[m]->metric(metric);
        const double share = equivalentBadFraction(raw, metric, score);
        if (!std::isfinite(share))
            continue;
        const PlacedMark mark{m, area.xOf(share), area.yOf(score), {}, {m}};
        const auto same = std::find_if(marks.begin(), marks.end(), [&](const PlacedMark& other) {
            return std::hypot(other.x - mark.x, other.y - mark.y) < kSame;
        });
        if (same == marks.end())
            marks.push_back(mark);
        else
            same->models.push_back(m);
    }
    for (PlacedMark& mark : marks)
        mark.label = placesText(mark.models);
    return marks;
}

} // namespace

void drawFidelityAndCoverage(HtmlWriter& html, const AuditResult& audit) {
    const ChartArea area(html, {"scatter", "Fidelity and coverage of all models", pointsInWords(audit)}, kSquareHeight,
                         {"Clipped density: fidelity", 0.0, 1.03, fifths()}, {"Clipped coverage", 0.0, 1.03, fifths()});
    std::vector<PlacedMark> marks;
    for (std::size_t m = 0; m < audit.models.size(); ++m) {
        const ModelAudit& model = *audit.models[m];
        if (!isScored(model))
            continue;
        drawInterval(area, m, model);
        marks.push_back({m, area.xOf(model.metric("clipped_density")), area.yOf(model.metric("clipped_coverage")),
                         std::to_string(m + 1)});
    }
    drawMarks(area, marks);
}

void drawBadFraction(HtmlWriter& html, const AuditResult& audit, const CurveValues& raw) {
    const CurveLine* fidelity = findBy(raw.lines, &CurveLine::name, "clipped_density");
    const CurveLine* coverage = findBy(raw.lines, &CurveLine::name, "clipped_coverage");
    std::string words = "One minus the share of bad samples is ideal.";
    for (const CurveLine* line : {fidelity, coverage})
        if (line != nullptr)
            words += " " + std::string(findMetric(line->name)->title) + " falls from " + roundedText(line->y.front()) +
                     " to " + roundedText(line->y.back()) + ".";
    const ChartArea area(html, {"bad-fraction", "Scores as good samples are replaced by bad ones", words},
                         kSquareHeight, {"Share of bad samples", 0.0, 1.0, fifths(), true},
                         {"Score", 0.0, 1.03, fifths()});
    area.line(0.0, 1.0, 1.0, 0.0, "ideal");
    std::vector<PlacedMark> marks;
    for (const CurveLine* line : {fidelity, coverage}) {
        if (line == nullptr)
            continue;
        drawCurveLine(area, raw, *line, line == fidelity ? "curve fidelity" : "curve coverage");
        const std::vector<PlacedMark> on = marksOnLine(area, audit, raw, line->name);
        marks.insert(marks.end(), on.begin(), on.end());
    }
    drawMarks(area, marks);
}

} // namespace assay::report

#include "engine/report/parts/curve_lines.h"

#include "engine/audit/findings/findings.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/parts/report_facts.h"
#include "engine/subsets/curves/bad_fraction.h"
#include "engine/subsets/curves/requested_curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

/// Drawn with one score against the other; its x sets the points apart.
constexpr std::string_view kTradeoff = "pce_re_tradeoff";
constexpr std::string_view kFrontier = "removal_frontier";

/// Before the score in the key of a curve over discarding.
constexpr std::string_view kBy = "_by_";

/// Ends the name of a line that shows what another would be at random.
constexpr std::string_view kControl = "/random";

/// "Discarding, by PCE": the column is in the key where a curve can be had by several.
std::string demandedTitle(const RequestedCurve& demanded, const Curve& curve) {
    const std::size_t by = demanded.key.find(kBy);
    if (by != std::string::npos)
        if (const Column* column = findColumn(demanded.key.substr(by + kBy.size())))
            return std::string(curve.title) + ", by " + std::string(column->title);
    return std::string(curve.title);
}

bool isDrawable(const CurveValues& values) {
    return !values.x.empty() && !values.lines.empty() &&
           std::all_of(values.lines.begin(), values.lines.end(),
                       [&](const CurveLine& line) { return line.y.size() == values.x.size(); });
}

/// The same curve of another model, or null.
const CurveValues* valuesOf(const AuditResult& audit, std::size_t model, const std::string& key) {
    for (const CurveChoice& choice : curveChoices(audit, model))
        if (choice.key == key)
            return choice.values;
    return nullptr;
}

ChartLine ownLine(const CurveChoice& choice, std::size_t at) {
    const CurveLine& line = choice.values->lines[at];
    ChartLine drawn{line.name, nullptr, choice.curve->yUnit, {}, at, false, &choice.values->x, &line};
    const std::string_view name = line.name;
    const std::size_t slash = name.find('/'); // "pce/random": the same removed at random
    if (const Metric* metric = findMetric(name.substr(0, slash))) {
        drawn.name = report::titleWithUnit(*metric);
        if (slash != std::string_view::npos)
            drawn.name += ", at random";
        drawn.metric = metric;
        drawn.unit = metric->unit;
    } else if (line.name == "measured" || line.name == "expected") {
        const std::string mean(findMetric("clipped_coverage_unnormalized")->title);
        drawn.name = mean + ", " + line.name;
        drawn.unit = Unit::Share;
    } else if (line.name.empty()) {
        drawn.name = choice.title;
    }
    return drawn;
}

} // namespace

std::vector<CurveChoice> curveChoices(const AuditResult& audit, std::size_t model) {
    std::vector<CurveChoice> choices;
    if (model >= audit.models.size())
        return choices;
    for (const CurveValues& values : audit.models[model]->curves)
        if (const Curve* curve = findAnyCurve(values.id); curve && isDrawable(values))
            choices.push_back({std::string(values.id), std::string(curve->title), {}, curve, &values});
    for (const RequestedCurve& demanded : audit.curves)
        if (const Curve* curve = findAnyCurve(demanded.values.id);
            curve && isDrawable(demanded.values) &&
            (demanded.model.empty() || demanded.model == audit.models[model]->name))
            choices.push_back(
                {demanded.key, demandedTitle(demanded, *curve), demanded.note, curve, &demanded.values, &demanded});
    return choices;
}

std::string curveCaveat(const AuditResult& audit, const CurveChoice& choice) {
    std::size_t most = 0;
    for (const auto& model : audit.models)
        most = std::max(most, model->set->rows());
    const std::size_t samples = choice.demanded ? choice.demanded->samples : 0;
    if (samples == 0 || samples >= (most + 1) / 2)
        return {};
    return "Each point is computed from " + countText(samples) + " samples, but models have up to " + countText(most) +
           ": values here can differ from the models' own scores.";
}

CurveAxes curveAxes(const CurveChoice& choice) {
    const Curve& curve = *choice.curve;
    if (choice.values->id == kTradeoff)
        return {std::string(findMetric("re")->title),
                Unit::Nats,
                std::string(findMetric("pce")->title),
                Unit::Nats,
                std::string(curve.xTitle),
                curve.xUnit};
    if (choice.values->id == kFrontier)
        return {std::string(findMetric("coverage")->title),
                Unit::Share,
                std::string(findMetric("clipped_density")->title),
                Unit::Ratio,
                std::string(curve.xTitle),
                curve.xUnit};
    CurveAxes axes{std::string(curve.xTitle), curve.xUnit, std::string(curve.yTitle), curve.yUnit};
    axes.logarithmicX = choice.values->id == "sample_size"; // each size is twice the one before
    return axes;
}

namespace {

bool isControl(const CurveLine& line) {
    return line.name.ends_with(kControl);
}

/// A choice's own lines, each followed by what it would be at random where the curve holds that.
std::vector<ChartLine> withControls(const CurveChoice& choice) {
    std::vector<ChartLine> lines;
    std::size_t styles = 0;
    for (std::size_t at = 0; at < choice.values->lines.size(); ++at) {
        const CurveLine& line = choice.values->lines[at];
        if (isControl(line))
            continue;
        lines.push_back(ownLine(choice, at));
        lines.back().style = styles++;
        const CurveLine* control = findBy(choice.values->lines, &CurveLine::name, line.name + std::string(kControl));
        if (!control)
            continue;
        const std::size_t score = lines.size() - 1;
        lines.push_back(ownLine(choice, static_cast<std::size_t>(control - choice.values->lines.data())));
        lines.back().style = lines[score].style;
        lines.back().controlOf = score;
    }
    return lines;
}

std::vector<ChartLine> scoredLines(const AuditResult& audit, std::size_t model, const CurveChoice& choice) {
    std::vector<ChartLine> lines;
    const bool ofTheAudit = std::any_of(audit.curves.begin(), audit.curves.end(), [&](const RequestedCurve& demanded) {
        return demanded.model.empty() && &demanded.values == choice.values;
    });
    if (choice.values->lines.size() > 1 || ofTheAudit) {
        return withControls(choice);
    }
    for (std::size_t other = 0; other < audit.models.size(); ++other) {
        const CurveValues* values = other == model ? choice.values : valuesOf(audit, other, choice.key);
        if (!values || values->lines.size() != 1)
            continue;
        const ModelAudit& audited = *audit.models[other];
        lines.push_back({audited.name + (isMarked(audited) ? " (!)" : ""), nullptr, choice.curve->yUnit, other, other,
                         other == model, &values->x, &values->lines.front()});
    }
    return lines;
}

/// A way to remove samples: how its lines end, and what it is called.
struct Way {
    const char* suffix;
    const char* name;
};

/// One score against the other over the share discarded: a line for each way that the curve has.
std::vector<ChartLine> againstEachOther(const CurveChoice& choice, const std::string& xScore, const std::string& yScore,
                                        Unit unit, const std::vector<Way>& ways) {
    std::vector<ChartLine> lines;
    for (const Way& way : ways) {
        const CurveLine* y = findBy(choice.values->lines, &CurveLine::name, yScore + way.suffix);
        const CurveLine* x = findBy(choice.values->lines, &CurveLine::name, xScore + way.suffix);
        if (!y || !x)
            continue;
        auto values = std::make_shared<CurveValues>(CurveValues{choice.values->id, x->y, {*y}});
        ChartLine line{way.name, nullptr, unit, {}, lines.size(), false, &values->x, &values->lines.front()};
        line.along = &choice.values->x;
        line.owned = std::move(values);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<ChartLine> tradeoffLines(const CurveChoice& choice) {
    std::vector<ChartLine> lines =
        againstEachOther(choice, "re", "pce", Unit::Nats, {{"", "Worst by PCE first"}, {"/random", "At random"}});
    if (lines.size() > 1) {
        lines[1].controlOf = 0;
        lines[1].style = lines[0].style;
    }
    return lines;
}

std::vector<ChartLine> frontierLines(const CurveChoice& choice) {
    return againstEachOther(choice, "coverage", "clipped_density", Unit::Ratio,
                            {{"/sparing", "By fidelity, sparing sole coverers"},
                             {"/fidelity", "By fidelity"},
                             {"/p_any", "By p-value"},
                             {"/pce", "By PCE"},
                             {"/random", "At random"}});
}

/// Line of a perfect model: a score equal to the share of good samples, or the diagonal.
ChartLine idealLine(const CurveChoice& choice, std::size_t style) {
    const bool falling = choice.curve->ideal == Curve::Ideal::Falling;
    auto values = std::make_shared<CurveValues>(CurveValues{choice.values->id, choice.values->x, {{"ideal", {}}}});
    for (const double x : values->x)
        values->lines.front().y.push_back(falling ? 1.0 - x : x);
    const char* name = falling ? "Ideal, 1 \u2212 x" : "Ideal, the diagonal";
    const CurveLine* line = &values->lines.front();
    const std::vector<double>* x = &values->x;
    return {name, nullptr, Unit::Share, {}, style, false, x, line, true, {}, nullptr, std::move(values)};
}

/// First, where it is found among many.
void addIdeal(std::vector<ChartLine>& lines, ChartLine ideal) {
    for (ChartLine& line : lines)
        if (line.controlOf)
            ++*line.controlOf;
    lines.insert(lines.begin(), std::move(ideal));
}

} // namespace

std::vector<ChartLine> chartLines(const AuditResult& audit, std::size_t model, const CurveChoice& choice) {
    if (choice.values->id == kTradeoff)
        return tradeoffLines(choice);
    if (choice.values->id == kFrontier)
        return frontierLines(choice);
    std::vector<ChartLine> lines = scoredLines(audit, model, choice);
    if (choice.curve->ideal != Curve::Ideal::None)
        addIdeal(lines, idealLine(choice, std::max(lines.size(), audit.models.size())));
    return lines;
}

bool shareAnAxis(Unit a, Unit b) {
    const auto plain = [](Unit unit) { return unit == Unit::Share || unit == Unit::Ratio || unit == Unit::YesNo; };
    return a == b || (plain(a) && plain(b));
}

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

#include "engine/report/parts/charts.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/io/files/text_encoding.h"
#include "engine/math/statistics/histogram.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"
#include "engine/subsets/curves/bad_fraction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace assay::report {
namespace {

/// One axis of a chart: title, range and ticks.
struct ChartAxis {
    std::string title;
    double low = 0.0;
    double high = 1.0;
    std::vector<double> ticks{};
    bool percent = false; ///< show ticks as percentages
};

/// Title and description of a chart. `id` must be unique on the page and consist of letters, digits and hyphens.
struct ChartTitle {
    std::string id;
    std::string title;       ///< read by screen readers, like the description
    std::string description; ///< contents of the chart in words and numbers
};

constexpr double kLeftMargin = 56.0;
constexpr double kRightMargin = 20.0;
constexpr double kTopMargin = 10.0;
constexpr double kBottomMargin = 40.0;
constexpr double kTextHeight = 13.0;
constexpr double kMarkSize = 5.0;  // half of the width, in SVG units
constexpr std::size_t kColors = 6; // number of colours in the style sheet: c0 .. c5

std::string tickText(double value, bool percent) {
    return percent ? numberText(std::round(1000.0 * value) / 10.0) + " %" : numberText(std::round(1e6 * value) / 1e6);
}

/// Corners of a mark around (x, y): a square, a triangle, a diamond or an inverted triangle.
std::string markCorners(std::size_t shape, double x, double y) {
    static constexpr std::array<std::array<std::pair<double, double>, 4>, 4> kShapes{
        {{{{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}},
         {{{0.0, -1.2}, {1.1, 0.9}, {-1.1, 0.9}, {0.0, -1.2}}},
         {{{0.0, -1.3}, {1.3, 0.0}, {0.0, 1.3}, {-1.3, 0.0}}},
         {{{0.0, 1.2}, {1.1, -0.9}, {-1.1, -0.9}, {0.0, 1.2}}}}};
    std::string points;
    for (const auto& [dx, dy] : kShapes[shape % kShapes.size()])
        points += (points.empty() ? "" : " ") + svgNumber(x + kMarkSize * dx) + "," + svgNumber(y + kMarkSize * dy);
    return points;
}

/// An SVG chart in a page, with frame, axes and grid. Colours come from the page's style sheet (report_style.h), so the
/// chart is readable in light mode, in dark mode and printed. Lengths are in the SVG's own units; the chart is
/// kChartWidth wide.
class ChartArea {
public:
    static constexpr double kChartWidth = 360.0;

    /// Opens the SVG element and draws frame and axes.
    /// @param height in SVG units
    ChartArea(HtmlWriter& html, const ChartTitle& title, double height, ChartAxis x, ChartAxis y)
        : html_(html), x_(std::move(x)), y_(std::move(y)), left_(kLeftMargin), right_(kChartWidth - kRightMargin),
          top_(kTopMargin), bottom_(height - kBottomMargin) {
        html_.open("svg", {{"class", "chart"},
                           {"viewBox", "0 0 " + svgNumber(kChartWidth) + " " + svgNumber(height)},
                           {"role", "img"},
                           {"aria-label", title.title},
                           {"aria-describedby", title.id + "-desc"}});
        html_.leaf("title", title.title);
        html_.leaf("desc", title.description, {{"id", title.id + "-desc"}});
        drawAxes();
    }
    /// Closes the SVG element.
    ~ChartArea() { html_.close(); }
    ChartArea(const ChartArea&) = delete;
    ChartArea& operator=(const ChartArea&) = delete;

    /// Position of a value in SVG units; values outside the axis range are placed at its ends.
    double xOf(double value) const noexcept {
        const double at = std::clamp((value - x_.low) / (x_.high - x_.low), 0.0, 1.0);
        return left_ + at * (right_ - left_);
    }
    double yOf(double value) const noexcept {
        const double at = std::clamp((value - y_.low) / (y_.high - y_.low), 0.0, 1.0);
        return bottom_ - at * (bottom_ - top_);
    }
    double left() const noexcept { return left_; }
    double right() const noexcept { return right_; }
    double top() const noexcept { return top_; }
    double bottom() const noexcept { return bottom_; }

    HtmlWriter& html() const noexcept { return html_; }
    /// Draws a line between two points given as values. @param style class in the page's style sheet
    void line(double x1, double y1, double x2, double y2, const std::string& style) const {
        html_.empty("line", {{"class", style}, {"x1", xOf(x1)}, {"y1", yOf(y1)}, {"x2", xOf(x2)}, {"y2", yOf(y2)}});
    }

private:
    void drawAxes() const {
        for (const double tick : x_.ticks) {
            line(tick, y_.low, tick, y_.high, "grid");
            html_.leaf("text", tickText(tick, x_.percent),
                       {{"class", "tick middle"}, {"x", xOf(tick)}, {"y", bottom_ + 15.0}});
        }
        for (const double tick : y_.ticks) {
            line(x_.low, tick, x_.high, tick, "grid");
            html_.leaf("text", tickText(tick, y_.percent),
                       {{"class", "tick end"}, {"x", left_ - 5.0}, {"y", yOf(tick) + 4.0}});
        }
        line(x_.low, y_.low, x_.high, y_.low, "axis");
        line(x_.low, y_.low, x_.low, y_.high, "axis");
        html_.leaf("text", x_.title, {{"class", "middle"}, {"x", (left_ + right_) / 2.0}, {"y", bottom_ + 33.0}});
        const std::string x = "11";
        const std::string y = svgNumber((top_ + bottom_) / 2.0);
        html_.leaf("text", y_.title,
                   {{"class", "middle"}, {"x", x}, {"y", y}, {"transform", "rotate(-90 " + x + " " + y + ")"}});
    }

    HtmlWriter& html_;
    ChartAxis x_, y_;
    double left_, right_, top_, bottom_;
};

/// Draws a model's mark around (x, y). @param model index from 0; selects shape and colour
void drawModelMark(HtmlWriter& html, std::size_t model, double x, double y) {
    constexpr std::size_t kShapes = 5;
    const std::string style = "mark c" + std::to_string(model % kColors);
    // The numbers of shapes (5) and colours (6) have no common factor: 30 distinct marks.
    const std::size_t shape = model % kShapes;
    if (shape == 0)
        html.empty("circle", {{"class", style}, {"cx", x}, {"cy", y}, {"r", kMarkSize}});
    else
        html.empty("polygon", {{"class", style}, {"points", markCorners(shape - 1, x, y)}});
}

/// Places short labels near points of a chart, so that no label covers another label or a mark.
class LabelPlaces {
public:
    struct Place {
        double x, y; ///< centre of the text
        bool isFar;  ///< so far away that a line to the mark is needed
    };

    LabelPlaces(double left, double top, double right, double bottom)
        : left_(left), top_(top), right_(right), bottom_(bottom) {}

    /// Reserves the area of a mark. @param reach half the side of the square, in SVG units
    void block(double x, double y, double reach) { taken_.push_back({x - reach, y - reach, x + reach, y + reach}); }
    /// @return the first free place around (x, y); the place next to the point when no place is free
    Place place(double x, double y, double width) {
        constexpr std::array kDistances{14.0, 18.0, 22.0, 27.0, 32.0, 38.0, 44.0, 51.0, 58.0, 70.0};
        constexpr int kDirections = 16;
        constexpr double kNear = 18.0; // clearly next to its mark, in SVG units
        const auto boxAt = [&](double atX, double atY) {
            return Box{atX - width / 2.0, atY - kTextHeight / 2.0, atX + width / 2.0, atY + kTextHeight / 2.0};
        };
        for (const double distance : kDistances)
            for (int d = 0; d < kDirections; ++d) {
                const double angle = 2.0 * std::numbers::pi * d / kDirections;
                const double atX = x + (distance + width / 2.0 - kTextHeight / 2.0) * std::cos(angle);
                const double atY = y + distance * std::sin(angle);
                const Box box = boxAt(atX, atY);
                if (isFree(box)) {
                    taken_.push_back(box);
                    return {atX, atY, distance > kNear};
                }
            }
        taken_.push_back(boxAt(x + kDistances.front(), y));
        return {x + kDistances.front(), y, false};
    }

private:
    struct Box {
        double left, top, right, bottom;
    };
    bool isFree(const Box& box) const {
        if (box.left < left_ || box.right > right_ || box.top < top_ || box.bottom > bottom_)
            return false;
        return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
            return box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top;
        });
    }

    double left_, top_, right_, bottom_;
    std::vector<Box> taken_;
};

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

/// Draws the marks, then the labels in the remaining space.
void drawMarks(const ChartArea& area, const std::vector<PlacedMark>& marks) {
    constexpr double kSlack = 4.0;
    LabelPlaces places(area.left(), area.top() - kSlack, area.right() + kSlack, area.bottom());
    for (const PlacedMark& mark : marks)
        places.block(mark.x, mark.y, kMarkReach);
    std::vector<LabelPlaces::Place> found;
    for (const PlacedMark& mark : marks) {
        found.push_back(places.place(mark.x, mark.y, kDigitWidth * static_cast<double>(codePoints(mark.label))));
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

namespace {

constexpr double kHistogramHeight = 210.0;
constexpr std::size_t kMaxBins = 24; // keeps the bars wide enough to see

/// Contents of one histogram chart.
struct ScoreHistogram {
    ChartTitle title;
    std::string xTitle, yTitle;
    std::string style;            ///< style class of the bars
    std::vector<double> values;   ///< one per sample
    std::vector<double> compared; ///< values of the set to compare with, drawn as lines over the bars; may be empty
};

/// The share of all values in each bin, in [0, 1].
std::vector<double> shares(const HistogramBins& bins, std::span<const double> values) {
    std::vector<double> result;
    for (const std::size_t count : countPerBin(bins, values))
        result.push_back(static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(values.size(), 1)));
    return result;
}

/// Upper end of the y axis: the smallest of some round shares that contains all bars and lines.
double rangeOfShares(const std::vector<double>& bars, const std::vector<double>& lines) {
    double largest = 0.0;
    for (const std::vector<double>* part : {&bars, &lines})
        for (const double share : *part)
            largest = std::max(largest, share);
    for (const double round : {0.1, 0.2, 0.4, 0.6, 0.8})
        if (largest <= round)
            return round;
    return 1.0;
}

std::vector<double> evenTicks(double high, int steps) {
    std::vector<double> ticks;
    for (int step = 0; step <= steps; ++step)
        ticks.push_back(high * step / steps);
    return ticks;
}

/// Text such as "12 % of the samples at 0 and 63 % at 1."
std::string inWords(const HistogramBins& bins, const std::vector<double>& bars) {
    std::string text;
    constexpr std::size_t kListed = 12; // a longer list would be tiring in a screen reader
    if (!bins.discrete() || bars.size() > kListed)
        return "Lowest bin " + percentText(bars.front()) + " of the samples, highest bin " + percentText(bars.back()) +
               ".";
    for (std::size_t bin = 0; bin < bars.size(); ++bin)
        text += (text.empty() ? "" : ", ") + roundedText(bins.values[bin]) + ": " + percentText(bars[bin]);
    return "Share of samples at each value: " + text + ".";
}

void drawHistogram(HtmlWriter& html, const ScoreHistogram& drawn, std::size_t k) {
    const HistogramBins bins = chooseBins(drawn.values, Unit::Share, k, kMaxBins);
    if (bins.count() == 0)
        return;
    const std::vector<double> bars = shares(bins, drawn.values);
    const std::vector<double> lines = drawn.compared.empty() ? std::vector<double>() : shares(bins, drawn.compared);
    const double high = rangeOfShares(bars, lines);
    ChartTitle title = drawn.title;
    title.description += inWords(bins, bars);
    constexpr std::size_t kNamedValues = 8;
    const bool named = bins.discrete() && bins.count() <= kNamedValues;
    const ChartArea area(html, title, kHistogramHeight,
                         {drawn.xTitle, bins.edges.front(), bins.edges.back(), named ? bins.values : evenTicks(1.0, 5)},
                         {drawn.yTitle, 0.0, high, evenTicks(high, 4), true});
    constexpr double kGap = 1.0;
    for (std::size_t bin = 0; bin < bars.size(); ++bin) {
        const double left = area.xOf(bins.edges[bin]) + kGap;
        const double width = std::max(area.xOf(bins.edges[bin + 1]) - kGap - left, 0.5);
        const double top = area.yOf(bars[bin]);
        html.empty(
            "rect",
            {{"class", drawn.style}, {"x", left}, {"y", top}, {"width", width}, {"height", area.bottom() - top}});
    }
    for (std::size_t bin = 0; bin < lines.size(); ++bin)
        area.line(bins.edges[bin], lines[bin], bins.edges[bin + 1], lines[bin], "compared");
}

std::string anchor(std::size_t model, const char* part) {
    return "model-" + std::to_string(model + 1) + "-" + part;
}

} // namespace

void drawFidelityHistogram(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    const ModelAudit& audited = *audit.models[model];
    ScoreHistogram drawn{{anchor(model, "fidelity"), "Fidelity of the synthetic samples", {}},
                         "Fidelity",
                         "Synthetic samples",
                         "bar synthetic",
                         audited.column("fidelity"),
                         {}};
    // Scores of the real samples by the same count: how many clipped balls of other real samples contain each of them.
    for (const std::uint32_t count : audit.real->innerHolding)
        drawn.compared.push_back(std::min(1.0, static_cast<double>(count) / static_cast<double>(audit.k)));
    drawHistogram(html, drawn, audit.k);
}

void drawCoverageHistogram(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    const ScoreHistogram drawn{{anchor(model, "coverage"), "Coverage of the real samples", {}},
                               "Coverage",
                               "Real samples",
                               "bar real",
                               audit.models[model]->column("coverage"),
                               {}};
    drawHistogram(html, drawn, audit.k);
}

} // namespace assay::report

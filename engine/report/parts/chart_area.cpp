#include "engine/report/parts/chart_area.h"

#include "engine/base/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace assay::report {
namespace {

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

} // namespace

ChartArea::ChartArea(HtmlWriter& html, const ChartTitle& title, double height, ChartAxis x, ChartAxis y)
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

ChartArea::~ChartArea() {
    html_.close();
}

double ChartArea::xOf(double value) const noexcept {
    const double at = std::clamp((value - x_.low) / (x_.high - x_.low), 0.0, 1.0);
    return left_ + at * (right_ - left_);
}

double ChartArea::yOf(double value) const noexcept {
    const double at = std::clamp((value - y_.low) / (y_.high - y_.low), 0.0, 1.0);
    return bottom_ - at * (bottom_ - top_);
}

void ChartArea::line(double x1, double y1, double x2, double y2, const std::string& style) const {
    html_.empty("line", {{"class", style}, {"x1", xOf(x1)}, {"y1", yOf(y1)}, {"x2", xOf(x2)}, {"y2", yOf(y2)}});
}

void ChartArea::drawAxes() const {
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

void LabelPlaces::block(double x, double y, double reach) {
    taken_.push_back({x - reach, y - reach, x + reach, y + reach});
}

bool LabelPlaces::isFree(const Box& box) const {
    if (box.left < left_ || box.right > right_ || box.top < top_ || box.bottom > bottom_)
        return false;
    return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
        return box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top;
    });
}

LabelPlaces::Place LabelPlaces::place(double x, double y, double width) {
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

} // namespace assay::report

#pragma once

#include "engine/report/parts/html_writer.h"

#include <cstddef>
#include <string>
#include <vector>

namespace assay::report {

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

/// An SVG chart in a page, with frame, axes and grid. Colours come from the page's style sheet (report_style.h), so the
/// chart is readable in light mode, in dark mode and printed. Lengths are in the SVG's own units; the chart is
/// kChartWidth wide.
class ChartArea {
public:
    static constexpr double kChartWidth = 360.0;

    /// Opens the SVG element and draws frame and axes.
    /// @param height in SVG units
    ChartArea(HtmlWriter& html, const ChartTitle& title, double height, ChartAxis x, ChartAxis y);
    /// Closes the SVG element.
    ~ChartArea();
    ChartArea(const ChartArea&) = delete;
    ChartArea& operator=(const ChartArea&) = delete;

    /// Position of a value in SVG units; values outside the axis range are placed at its ends.
    double xOf(double value) const noexcept;
    double yOf(double value) const noexcept;
    double left() const noexcept { return left_; }
    double right() const noexcept { return right_; }
    double top() const noexcept { return top_; }
    double bottom() const noexcept { return bottom_; }

    HtmlWriter& html() const noexcept { return html_; }
    /// Draws a line between two points given as values. @param style class in the page's style sheet
    void line(double x1, double y1, double x2, double y2, const std::string& style) const;

private:
    void drawAxes() const;

    HtmlWriter& html_;
    ChartAxis x_, y_;
    double left_, right_, top_, bottom_;
};

/// Draws a model's mark around (x, y). @param model index from 0; selects shape and colour
void drawModelMark(HtmlWriter& html, std::size_t model, double x, double y);

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
    void block(double x, double y, double reach);
    /// @return the first free place around (x, y); the place next to the point when no place is free
    Place place(double x, double y, double width);

private:
    struct Box {
        double left, top, right, bottom;
    };
    bool isFree(const Box& box) const;

    double left_, top_, right_, bottom_;
    std::vector<Box> taken_;
};

} // namespace assay::report

#pragma once

#include "engine/report/parts/html_writer.h"

#include <cstddef>
#include <string>
#include <vector>

namespace assay::report {

/// One axis of a chart: what it measures, its range, and where it has ticks.
struct ChartAxis {
    std::string title;
    double low = 0.0;
    double high = 1.0;
    std::vector<double> ticks{};
    bool percent = false; ///< ticks as percentages
};

/// What a chart is about. `id` is unique on the page and made of letters, digits and hyphens.
struct ChartTitle {
    std::string id;
    std::string title;       ///< read out by a screen reader, like the description
    std::string description; ///< what there is to see, in words and numbers
};

/// An SVG chart in a page: its frame, axes and grid. Colours are those of the page's style (report_style.h), so that it
/// is readable in light, in dark and printed. Lengths are in the SVG's own units; it is kChartWidth wide.
class ChartArea {
public:
    static constexpr double kChartWidth = 360.0;

    /// Opens the SVG and draws frame and axes.
    ChartArea(HtmlWriter& html, const ChartTitle& title, double height, ChartAxis x, ChartAxis y);
    /// Closes the SVG.
    ~ChartArea();
    ChartArea(const ChartArea&) = delete;
    ChartArea& operator=(const ChartArea&) = delete;

    /// Where a value is drawn; values beyond the range at its end.
    double xOf(double value) const noexcept;
    double yOf(double value) const noexcept;
    double left() const noexcept { return left_; }
    double right() const noexcept { return right_; }
    double top() const noexcept { return top_; }
    double bottom() const noexcept { return bottom_; }

    HtmlWriter& html() const noexcept { return html_; }
    /// A line from value to value. @param style of the page's style sheet
    void line(double x1, double y1, double x2, double y2, const std::string& style) const;

private:
    void drawAxes() const;

    HtmlWriter& html_;
    ChartAxis x_, y_;
    double left_, right_, top_, bottom_;
};

/// The mark of the model at a place of the audit, from 0 on: shapes and colours that differ, around (x, y).
void drawModelMark(HtmlWriter& html, std::size_t model, double x, double y);

/// Finds room for short labels near points of a chart, so that none covers another or a mark.
class LabelPlaces {
public:
    struct Place {
        double x, y; ///< the middle of the text
        bool isFar;  ///< far enough for a line to the mark
    };

    LabelPlaces(double left, double top, double right, double bottom)
        : left_(left), top_(top), right_(right), bottom_(bottom) {}

    /// Keeps labels away from a mark.
    void block(double x, double y, double reach);
    /// @return the first free place around (x, y); beside it where there is none
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

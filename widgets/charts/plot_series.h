#pragma once

#include "widgets/charts/chart_axis.h"

#include <QColor>
#include <QPen>
#include <QPointF>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace assay {

enum class MarkShape { None, Circle, Square, Diamond, TriangleUp, TriangleDown, Plus };

/// Appearance of the marks of a series.
struct MarkStyle {
    MarkShape shape = MarkShape::None;
    double size = 10.0; ///< pixels across
    QColor fill{};
    QPen edge{Qt::NoPen};
};

/// An interval around a point; NaN: there is none.
struct PlotInterval {
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
};

/// A bar that stands on the axis below.
struct PlotBar {
    double from = 0.0;
    double to = 0.0;
    double height = 0.0;
    double faded = 0.0;    ///< share of its height, from the top: what is rejected
    double selected = 0.0; ///< share of its height, from the axis
};

/// What a plot draws in one look: points, which may be joined and have intervals, names and marks; or bars.
struct PlotSeries {
    /// What the mouse finds: nothing, marks with a description only, marks to be chosen, or also the way between them.
    enum class Pick { Nothing, Described, Points, Line };

    std::vector<QPointF> points{};       ///< not finite: a gap
    QPen line{Qt::NoPen};                ///< joins the points
    bool hasArrows = false;              ///< in the middle of each piece of the line
    MarkStyle mark{};                    ///< fill of bars, too
    std::vector<PlotInterval> across{};  ///< one per point, or none
    std::vector<PlotInterval> upwards{}; ///< likewise
    QColor band{};                       ///< of `upwards`; invalid: these are drawn as crosses
    QStringList names{};                 ///< beside the marks; empty ones are not drawn
    std::vector<bool> selected{};        ///< marks that are ringed; empty: none
    std::vector<std::size_t> ids{};      ///< whose each point is; empty: 0, 1, ..
    bool isUpright = false;              ///< each point is a line across the chart, its name at the top
    bool hasGuides = false;              ///< dotted lines lead from the marks to both axes
    bool isAbove = false;                ///< drawn over other series, and found before them
    Pick pick = Pick::Points;
    std::vector<PlotBar> bars{}; ///< instead of points
    bool barsApart = false;      ///< each stands for one value

    std::size_t count() const noexcept { return bars.empty() ? points.size() : bars.size(); }
    std::size_t idOf(std::size_t point) const { return ids.empty() ? point : ids[point]; }
};

/// A point or bar of a plot.
struct PlotPoint {
    std::size_t series = 0;
    std::size_t point = 0;
    friend bool operator==(const PlotPoint&, const PlotPoint&) = default;
};

/// What the person has chosen: one point, or all bars between two.
struct PlotChoice {
    PlotPoint from, to; ///< in the order in which they were chosen
    Qt::KeyboardModifiers modifiers{};
    bool isNew = true; ///< false: takes the place of the choice before
};

/// Everything that a plot shows.
struct PlotContent {
    enum class Description { ToolTip, Beside };

    ChartAxis x{};
    ChartAxis y{};
    std::vector<PlotSeries> series{};
    QString message{}; ///< in the middle; the whole plot where there is no series
    /// Id that is ringed; the arrow keys choose others at once instead of moving a cursor.
    std::optional<std::size_t> current{};
    std::function<QString(PlotPoint)> describe{}; ///< rich text for tooltips, else a fact a line
    Description description = Description::ToolTip;
    bool isBrushed = false;    ///< a drag, or Shift, chooses all bars in between
    bool countsStacks = false; ///< marks that cover each other have a count; each click chooses the next one of them
};

} // namespace assay

#pragma once

#include "engine/report/parts/curve_lines.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace assay {

/// A value of the audit itself, put on the lines of a chart.
struct ChartMark {
    enum class Shape {
        Point,  ///< on a line
        Above,  ///< beyond a line's end, above it
        Below,  ///< likewise below it
        Landed, ///< mean coverage on the calibration's line
        OwnK    ///< the audit's own k: a line across the chart at x
    };

    Shape shape = Shape::Point;
    std::optional<std::size_t> line{}; ///< drawn while this one is; none: always
    double x = 0.0;
    double y = 0.0;
    std::optional<std::size_t> model{};                      ///< whose it is
    bool current = false;                                    ///< of the current model
    const Metric* metric = nullptr;                          ///< of the score
    double score = std::numeric_limits<double>::quiet_NaN(); ///< of the model, where the line is a relative one, too
    double end = std::numeric_limits<double>::quiet_NaN();   ///< of the line, where the score lies beyond it
};

/// Whether a choice is a bad-fraction curve.
bool isBadFraction(const CurveChoice& choice);

/// Marks of a choice's chart: on bad-fraction curves each model's own scores where they read as a share of
/// bad samples, or beside the end of the line that they lie beyond; on the calibration of coverage each model's mean
/// coverage, and the audit's own k. The current model's marks come last, so that they are drawn over the others.
/// @param lines of the same choice, as chartLines() gives them
std::vector<ChartMark> chartMarks(const AuditResult& audit, std::size_t model, const CurveChoice& choice,
                                  const std::vector<ChartLine>& lines);

} // namespace assay

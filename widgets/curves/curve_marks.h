#pragma once

#include "engine/report/parts/curve_lines.h"

#include <QPointF>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace assay {

/// A value of the audit itself, put on the lines of a chart.
struct ChartMark {
    enum class Shape {
        Point,  ///< on a line
        Above,  ///< beyond a line's end, above it
        Below,  ///< likewise below it
        Landed, ///< on a line, and led to both axes
        Upright ///< a line across the chart at x, with a label
    };

    Shape shape;
    std::optional<std::size_t> line; ///< drawn while this one is; none: always
    QPointF at;
    QString facts;                      ///< one fact a line; the first names what the mark belongs to
    std::optional<std::size_t> model{}; ///< whose it is
    bool current = false;               ///< of the current model
    QString label{};
};

/// Marks of a choice's chart: on bad-fraction curves each model's own scores where they read as a share of
/// bad samples, or beside the end of the line that they lie beyond; on the calibration of coverage each model's mean
/// coverage, and the audit's own k. The current model's marks come last, so that they are drawn over the others.
/// @param lines of the same choice, as chartLines() gives them
std::vector<ChartMark> chartMarks(const AuditResult& audit, std::size_t model, const CurveChoice& choice,
                                  const std::vector<ChartLine>& lines);

/// Explanation of a choice's marks, in sentences; empty if none is needed.
QString marksText(const CurveChoice& choice, const std::vector<ChartMark>& marks);

} // namespace assay

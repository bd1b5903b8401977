#pragma once

#include "engine/report/parts/curve_lines.h"
#include "widgets/charts/plot_series.h"

#include <cstddef>
#include <optional>
#include <vector>

class QPalette;

namespace assay {

/// What is drawn of a curve.
struct CurveDrawing {
    CurveAxes axes{};
    std::vector<ChartLine> lines{};
    std::vector<ChartMark> marks{};
    QStringList markFacts{};   ///< one per mark: one fact a line; the first names what the mark belongs to
    std::vector<bool> shown{}; ///< one per line
    std::optional<std::size_t> highlighted{};

    bool isDrawn(const ChartMark& mark) const { return !mark.line || shown[*mark.line]; }
};

/// Lines with their bands on axes that fit them, and marks. The first series are the lines, in their order, then come
/// the marks, one series each; what is not shown has no points.
PlotContent curveContent(const CurveDrawing& drawing, const QPalette& palette);

/// Facts of a mark, one a line; the first names what it belongs to.
QString markFacts(const AuditResult& audit, const ChartMark& mark);
/// Explanation of a choice's marks, in sentences; empty if none is needed.
QString marksText(const CurveChoice& choice, const std::vector<ChartMark>& marks);

/// Values of a point of curveContent(), one fact a line.
QString curveReadOut(const CurveDrawing& drawing, PlotPoint point);

} // namespace assay

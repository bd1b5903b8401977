#pragma once

#include "widgets/charts/plot_series.h"
#include "widgets/curves/curve_marks.h"

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
    std::vector<bool> shown{}; ///< one per line
    std::optional<std::size_t> highlighted{};

    bool isDrawn(const ChartMark& mark) const { return !mark.line || shown[*mark.line]; }
};

/// Lines with their bands on axes that fit them, and marks. The first series are the lines, in their order, then come
/// the marks, one series each; what is not shown has no points.
PlotContent curveContent(const CurveDrawing& drawing, const QPalette& palette);

/// Values of a point of curveContent(), one fact a line.
QString curveReadOut(const CurveDrawing& drawing, PlotPoint point);

} // namespace assay

#pragma once

#include "engine/report/parts/curve_lines.h"
#include "widgets/charts/plot_series.h"

class QPalette;

namespace assay {

/// How a line of a chart is drawn, and its piece in legends.
///
/// Colour, dash and mark follow from ChartLine::style so that, of 24 lines in turn, no two have the same colour and
/// dash, nor the same colour and mark, nor the same dash and mark. Long dashes are for controls, which have the colour
/// of their score, paler, and its mark, hollow; and for the ideal line. Few points, such as one for each k, are marked.
struct LineStyle {
    QPen pen;
    MarkStyle mark;
};

LineStyle lineStyle(const ChartLine& line, const QPalette& palette);

} // namespace assay

#pragma once

#include "widgets/curves/curve_data.h"

#include <QPen>

class QPainter;
class QPalette;
class QRectF;

namespace assay {

/// Marker at the points of a line.
enum class LineMarker { Circle, Square, Diamond, TriangleUp, TriangleDown, Plus };

/// How a line of a chart is drawn, and its piece in legends.
///
/// Colour, dash and marker follow from ChartLine::style so that, of 24 lines in turn, no two have the same colour and
/// dash, nor the same colour and marker, nor the same dash and marker. Long dashes are for controls, which have the
/// colour of their score, paler, and its marker, hollow; and for the ideal line.
struct LineStyle {
    QPen pen;
    LineMarker marker = LineMarker::Circle;
    bool hollow = false;
    bool marked = true; ///< few points, such as one for each k, are seen as such
};

LineStyle lineStyle(const ChartLine& line, const QPalette& palette);

/// Paints a piece of a line with its marker, in the middle of a box and as wide.
void paintLineSample(QPainter& painter, const ChartLine& line, const QRectF& box, const QPalette& palette);

/// Paints the marker of a line in a painter's own units.
void paintMarker(QPainter& painter, const LineStyle& style, QPointF centre, const QColor& background);

} // namespace assay

#pragma once

#include "widgets/charts/plot_series.h"

class QPainter;
class QRectF;

namespace assay {

/// Paints a mark in a painter's own units.
void paintMark(QPainter& painter, const MarkStyle& style, QPointF centre);

/// Paints a piece of a line with its mark in the middle of a box and as wide: an entry of a legend.
void paintLineSample(QPainter& painter, const QPen& line, const MarkStyle& mark, const QRectF& box);

} // namespace assay

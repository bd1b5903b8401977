#pragma once

class QPainter;

namespace assay::space {

class SpaceCanvas;

/// Axes of the plane along the lower and the left edge of the view: titles and, for the part that is seen, round
/// values. Nothing where axes have no titles. They stay at the edges while the view slides and zooms.
void paintPlaneAxes(QPainter& painter, const SpaceCanvas& canvas);

} // namespace assay::space

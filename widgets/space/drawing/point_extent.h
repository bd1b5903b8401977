#pragma once

#include "widgets/link/space_points.h"
#include "widgets/space/drawing/space_drawing.h"

namespace assay::space {

/// The box that holds all but the outermost 1 % of the points along each axis, a little padded: one far outlier must
/// not shrink everything else to a dot. Never of size zero.
Box boxAround(const SpacePoints& points);

/// Distance of the farthest point, or of the box's corners, from the box's centre: what a drawing of both has to reach.
float reachOf(const SpacePoints& points, const Box& box);

} // namespace assay::space

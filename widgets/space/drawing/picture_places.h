#pragma once

#include "widgets/space/drawing/space_picker.h"

#include <cstddef>
#include <span>
#include <vector>

namespace assay::space {

/// Points of the plane that have room for a picture, and how many points there are in sight.
struct PicturePlaces {
    std::vector<Pick> picks;
    std::size_t inSight = 0; ///< counted as far as more than four times as many as may have pictures
};

/// Chooses as many points in sight as can be squares of `edge` logical pixels about their places without two of them
/// overlapping: one after the other in an order that is spread over both clouds and never changes, so that the same
/// ones stay while the view slides. None where there are no points in sight.
/// @param most pictures at most
PicturePlaces picturePlaces(std::span<const PickableCloud> clouds, const SpaceCamera& camera, QSizeF size, double edge,
                            std::size_t most);

/// Whether pictures say more than points: at least one in four points in sight has room for its own.
bool arePicturesWorthIt(const PicturePlaces& places);

} // namespace assay::space

#pragma once

#include "engine/neighbors/search/neighbor_table.h"

#include <vector>

namespace assay {

/// A distance in units of a reference distance: 0 for 0 / 0, infinite for x / 0.
double distanceRatio(double distance, double reference) noexcept;

/// The column copy_ratio: the distance from each sample to its nearest real one, in units of that one's distance to
/// its own nearest other real sample.
/// @param toReal of each sample, at least its nearest real one
/// @param real real-real, of at least one neighbour
/// @return one per row of `toReal`, in [0, infinity]
std::vector<double> copyRatios(const NeighborTable& toReal, const NeighborTable& real);

/// The same of each real sample, left out of its nearest one's neighbours.
/// @return one per real row; NaN where the lists hold nothing else
std::vector<double> copyRatiosWithin(const NeighborTable& real);

} // namespace assay

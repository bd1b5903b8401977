#pragma once

#include "engine/neighbors/search/neighbor_table.h"

#include <vector>

namespace assay {

/// Returns distance / reference: 0 for 0 / 0, infinity for x / 0.
double distanceRatio(double distance, double reference) noexcept;

/// Computes the column copy_ratio. For each sample: the distance to its nearest real sample, divided by the distance
/// from that real sample to its own nearest other real sample.
/// @param toReal neighbours in the real set per sample, at least one each
/// @param real neighbours within the real set, at least one each
/// @return one value per row of `toReal`, in [0, infinity]
std::vector<double> copyRatios(const NeighborTable& toReal, const NeighborTable& real);

/// Computes the copy ratio of each real sample against the rest of the real set: the sample itself is left out of the
/// neighbours of its nearest real sample.
/// @return one value per real row, in [0, infinity]; NaN if that list contains no other sample
std::vector<double> copyRatiosWithin(const NeighborTable& real);

} // namespace assay

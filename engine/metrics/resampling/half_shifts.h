#pragma once

#include "engine/metrics/tables/metric.h"

#include <vector>

namespace assay {

/// How far figures move with the sampling of the sets. Resampling rows cannot tell: one real sample's ball holds other
/// samples' terms, so these are not independent, and copies of a row would be neighbours at distance zero. Two disjoint
/// halves of a set, however, are independent sets of half the size. Half their difference varies as the figure of the
/// whole does, the variance going with 1 / N.
///
/// One value per random split; empty where the neighbour lists are too short (fewer than 2 k + 8) or a set too small
/// (fewer than 4 k rows) to tell.
struct HalfShifts {
    std::vector<double> clippedDensity; ///< clipped_density_unclipped; halves of the real set, the synthetic one as is
    std::vector<double> realFidelity;   ///< clipped_density_real; halves of the real set
    std::vector<double> coverage;       ///< clipped_coverage_unnormalized; halves of both sets
};

/// Works in some 200 bytes per row, and no more than another two thirds of a longer list of neighbours.
/// @throws Cancelled
HalfShifts halfShifts(const MetricInputs& in);

} // namespace assay

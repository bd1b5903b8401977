#pragma once

#include "engine/metrics/tables/metric.h"

#include <vector>

namespace assay {

/// Shifts of scores between random halves of the sets. They measure how far a score varies with the sampling of a set.
/// Resampling rows cannot measure it: terms of different samples depend on the same real balls and are not independent,
/// and copies of a row would be neighbours at distance zero. Two disjoint halves of a set are independent sets of half
/// the size. As variance is proportional to 1 / N, half the difference of the two halves' scores has the variance of
/// the whole set's score.
///
/// One value per random split. Empty if the neighbour lists are too short (fewer than 2 k + 8 neighbours) or a set is
/// too small (fewer than 4 k rows).
struct HalfShifts {
    /// Shift of clipped_density_unclipped, for halves of the real set and the whole synthetic set.
    std::vector<double> clippedDensity;
    std::vector<double> realFidelity; ///< shift of clipped_density_real, for halves of the real set
    std::vector<double> coverage;     ///< shift of clipped_coverage_unnormalized, for halves of both sets
};

/// Computes the shifts. Uses about 30 bytes per row and thread.
/// @param in in.job reports progress and stops the work
/// @throws Cancelled
HalfShifts halfShifts(const MetricInputs& in);

} // namespace assay

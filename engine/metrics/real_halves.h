#pragma once

#include "engine/metrics/catalog.h"

#include <vector>

/// How far a figure moves with the sampling of the real set. Resampling its rows cannot tell: one real sample's ball
/// holds other samples' terms, so these are not independent, and copies of a row would be neighbours at distance zero.
/// Two disjoint halves of the real set, however, are independent sets of half the size. Half their difference varies
/// as the figure of the whole set does, the variance going with 1 / N.
namespace assay::metrics {

/// Whether it can be told: not where the neighbour lists are too short (fewer than 2 k + 8) or the real set too small
/// (fewer than 4 k rows).
bool realHalvesServe(const MetricInputs& in);

/// Draws of the shift of clipped_density_unclipped, for the synthetic set as it is: half the difference between random
/// complementary halves of the real set.
/// @return empty where it cannot be told
/// @throws Cancelled
std::vector<double> clippedDensityShifts(const MetricInputs& in);

/// The same of clipped_density_real.
std::vector<double> realFidelityShifts(const MetricInputs& in);

} // namespace assay::metrics

#pragma once

#include "engine/metrics/tables/metric.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <vector>

/// Precision cover and recall cover, Cheema and Urner, AISTATS 2023.
namespace assay::metrics {

/// Per sample: 1 if at least `k` samples of the other set lie within the distance to its neighbour of rank `ownRank` in
/// its own set, else 0. Rank 0 is the sample itself.
/// @param toOther neighbours in the other set, at least k per sample
/// @param own neighbours in its own set, at least ownRank per sample
/// @return one value per sample; all NaN if a table has fewer neighbours
std::vector<double> coverFlags(const NeighborTable& toOther, const NeighborTable& own, std::size_t k,
                               std::size_t ownRank);

/// coverFlags() of the synthetic samples (M values), and of the real samples (N values), for MetricInputs::cover.
std::vector<double> precisionCovered(const MetricInputs& in);
std::vector<double> recallCovered(const MetricInputs& in);

} // namespace assay::metrics

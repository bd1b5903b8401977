#pragma once

#include "engine/metrics/tables/metric.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>

/// How many dimensions the samples fill near each other: Levina and Bickel, NeurIPS 2004; TwoNN, Facco et al., 2017.
/// Definitions, conventions and sources stand in the catalogue and in docs/metrics.md.
namespace assay::metrics {

double intrinsicDimension(const MetricInputs& in);
double intrinsicDimensionReal(const MetricInputs& in);
double twoNearestDimension(const MetricInputs& in);
double twoNearestDimensionReal(const MetricInputs& in);

/// Levina and Bickel's maximum likelihood from k neighbours, averaged as MacKay and Ghahramani propose: 1 over the mean
/// of log(T_k / T_j) over rows and j < k. Neighbours at distance zero are left out. For k = 2 it is the TwoNN model's.
/// @param neighbors within one set @param k at most neighbors.k
/// @return NaN for k < 2, and where no row has two distances above zero
double likelihoodDimension(const NeighborTable& neighbors, std::size_t k);

} // namespace assay::metrics

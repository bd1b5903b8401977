#pragma once

#include "engine/metrics/tables/metric.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>

/// Intrinsic dimension of the samples, estimated from near neighbours: Levina and Bickel, NeurIPS 2004; TwoNN, Facco et
/// al., 2017. For definitions, conventions and sources see the catalogue and docs/metrics.md.
namespace assay::metrics {

double intrinsicDimension(const MetricInputs& in);
double intrinsicDimensionReal(const MetricInputs& in);
double twoNearestDimension(const MetricInputs& in);
double twoNearestDimensionReal(const MetricInputs& in);

/// Levina and Bickel's maximum-likelihood estimate from k neighbours, averaged as MacKay and Ghahramani propose: 1
/// divided by the mean of log(T_k / T_j) over rows and j < k. Neighbours at distance zero are left out. For k = 2 this
/// is the estimate of the TwoNN model.
/// @param neighbors neighbours within one set
/// @param k at most neighbors.k
/// @return estimated dimension; NaN for k < 2, or if no row has two distances above zero
double likelihoodDimension(const NeighborTable& neighbors, std::size_t k);

} // namespace assay::metrics

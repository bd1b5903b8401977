#pragma once

#include "engine/metrics/tables/metric_inputs.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <span>
#include <vector>

/// Entropy metrics PCE, RCE and RE: Fox, Swarup, Adiga, AAAI 2025. For definitions, conventions and sources see the
/// catalogue and docs/metrics.md.
/// Intrinsic dimension of the samples, estimated from near neighbours: Levina and Bickel, NeurIPS 2004; TwoNN, Facco et
/// al., 2017. For definitions, conventions and sources see the catalogue and docs/metrics.md.
namespace assay::metrics {

std::vector<double> pcePerSample(const MetricInputs& in);
std::vector<double> rcePerSample(const MetricInputs& in);
std::vector<double> rePerSample(const MetricInputs& in);
/// Entropy term of each real sample minus H(R), N values.
std::vector<double> realEntropyTerms(const RealAnalysis& real);
double degenerateNeighbors(const MetricInputs& in);

/// Entropy terms of the k-th neighbour distances in a table, minus in.real.entropy.
/// @param n number of candidate neighbours per query
std::vector<double> termsAboveReal(const NeighborTable& table, std::size_t n, const MetricInputs& in);

/// Entropy terms h(D, n) = log n - psi(k) + log c_d + d log D of k-th neighbour distances D, in nats, with log c_d =
/// (d/2) log pi - lgamma(d/2 + 1). A zero distance is replaced by the smallest positive one. If all distances are zero,
/// the terms are NaN.
/// @param distances k-th neighbour distances
/// @param n number of candidate neighbours per query
/// @param dim d
/// @return one term per distance
std::vector<double> entropyTerms(std::span<const double> distances, std::size_t n, std::size_t k, std::size_t dim);

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

#pragma once

#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <span>
#include <vector>

/// PCE, RCE, RE: Fox, Swarup, Adiga, AAAI 2025. Definitions, conventions and sources stand in the
/// catalogue and in docs/metrics.md.
namespace assay::metrics {

std::vector<double> pcePerSample(const MetricInputs& in);
std::vector<double> rcePerSample(const MetricInputs& in);
std::vector<double> rePerSample(const MetricInputs& in);
double pce(const MetricInputs& in);
double rce(const MetricInputs& in);
double re(const MetricInputs& in);
double realEntropy(const MetricInputs& in);
double degenerateNeighbors(const MetricInputs& in);

/// Entropy terms h(D, n) = log n - psi(k) + log c_d + d log D of k-th neighbour distances, in nats, with
/// log c_d = (d/2) log pi - lgamma(d/2 + 1). A zero distance is replaced by the smallest positive one; when all are
/// zero the terms are NaN.
/// @param distances k-th neighbour distances
/// @param n number of samples searched
std::vector<double> entropyTerms(std::span<const double> distances, std::size_t n, std::size_t k, std::size_t dim);

} // namespace assay::metrics

#pragma once

#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Clipped density, clipped coverage and their steps: Salvy, Talbot, Thirion, ICLR 2026. Definitions, conventions and
/// sources stand in the catalogue and in docs/metrics.md.
namespace assay::metrics {

std::vector<double> fidelity(const MetricInputs& in);
std::vector<double> clippedBallCount(const MetricInputs& in);
std::vector<double> realClippedBallCount(const MetricInputs& in);
std::vector<double> coveragePerReal(const MetricInputs& in);
std::vector<double> ballSyntheticCount(const MetricInputs& in);
double clippedDensityUnnormalized(const MetricInputs& in);
double clippedDensityReal(const MetricInputs& in);
double clippedDensityUnclipped(const MetricInputs& in);
double clippedDensity(const MetricInputs& in);
double clippedCoverageUnnormalized(const MetricInputs& in);
double clippedCoverage(const MetricInputs& in);
double overOccurringFraction(const MetricInputs& in);
double overOccurringFractionClippedRadii(const MetricInputs& in);
double densityClippedRadii(const MetricInputs& in);

/// 1 - f(m) for m = 0..M: the expected shortfall of coverage when m good samples fall on N real ones, where
/// C ~ BetaBinomial(m; k, N - k) is the number of them in one ball and f(m) = E[min(C, k)] / k; 1 for m < k, as in the
/// published code. O(M k).
/// @param realRows N, more than k
/// @return M + 1 values in [0, 1], descending
std::vector<double> coverageShortfall(std::size_t realRows, std::size_t syntheticRows, std::size_t k);

/// Some of coverageShortfall's values: at these numbers of draws, ascending. O(last + draws k).
std::vector<double> coverageShortfallAt(std::span<const std::size_t> draws, std::size_t realRows, std::size_t k);

/// How many of coverageShortfall's values are above `bound`, without computing them all. O(k log M), but for bounds
/// that are nearly one of them: O(M k).
std::size_t coverageShortfallsAbove(double bound, std::size_t realRows, std::size_t syntheticRows, std::size_t k);

/// How many m in 0..M have f(m) < c = covered / (k N), by shortfalls: they keep their digits where f(m) comes close
/// to 1. Cost as above.
/// @param covered the sum over real samples of min(synthetic samples in its ball, k)
std::size_t coveragesBelow(std::uint64_t covered, std::size_t realRows, std::size_t syntheticRows, std::size_t k);

} // namespace assay::metrics

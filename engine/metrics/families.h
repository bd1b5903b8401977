#pragma once

#include "engine/metrics/catalog.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// The functions behind the catalogue's rows, one file per family. Definitions, conventions and sources stand in the
/// catalogue and in docs/metrics.md.
namespace assay::metrics {

// clipped.cpp: Salvy, Talbot, Thirion, ICLR 2026
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

// classic.cpp: Kynkaanniemi et al. 2019, Naeem et al. 2020, Khayatkhoei and AbdAlmageed 2023
std::vector<double> ballCount(const MetricInputs& in);
std::vector<double> syntheticBallCount(const MetricInputs& in);
std::vector<double> ballHoldsReal(const MetricInputs& in);
double precision(const MetricInputs& in);
double recall(const MetricInputs& in);
double density(const MetricInputs& in);
double coverage(const MetricInputs& in);
double symPrecision(const MetricInputs& in);
double symRecall(const MetricInputs& in);

// entropy.cpp: Fox, Swarup, Adiga, AAAI 2025
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

// authenticity.cpp: Alaa et al., ICML 2022
std::vector<double> authentic(const MetricInputs& in);
std::vector<double> nearestReal(const MetricInputs& in);
std::vector<double> nearestRealDistance(const MetricInputs& in);
std::vector<double> nearestSyntheticDistance(const MetricInputs& in);
double authenticity(const MetricInputs& in);

/// Arithmetic mean; NaN for no values.
double meanOf(std::span<const double> values);
/// Share of counts above `bound`.
double shareAbove(std::span<const std::uint32_t> counts, std::size_t bound);
/// Every count as a number.
std::vector<double> asNumbers(std::span<const std::uint32_t> counts);

} // namespace assay::metrics

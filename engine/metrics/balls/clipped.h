#pragma once

#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/tables/metric_inputs.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Clipped density, clipped coverage and their intermediate scores: Salvy, Talbot, Thirion, ICLR 2026. For definitions,
/// conventions and sources see the catalogue and docs/metrics.md.
namespace assay::metrics {

std::vector<double> fidelity(const MetricInputs& in);
/// Fidelity of the real samples, each in the balls of the others. N values
std::vector<double> realFidelity(const RealAnalysis& real);
std::vector<double> coveragePerReal(const MetricInputs& in);
double clippedDensityUnnormalized(const MetricInputs& in);
double clippedDensityReal(const MetricInputs& in);
double clippedDensityUnclipped(const MetricInputs& in);
double clippedDensity(const MetricInputs& in);
double clippedCoverageUnnormalized(const MetricInputs& in);
double clippedCoverage(const MetricInputs& in);
double overOccurringFraction(const MetricInputs& in);
double overOccurringFractionClippedRadii(const MetricInputs& in);
double densityClippedRadii(const MetricInputs& in);

/// 95 % bounds of clipped_coverage_unnormalized where nearly all of the k N slots of the real balls are filled, as by a
/// model many times as large as the real set: the exact bounds of the share of empty slots. Nothing where at least 40,
/// or a tenth of all, are empty.
std::optional<Bounds> exactCoverageBounds(const MetricInputs& in);

/// Returns 1 - f(m) for m = 0..M: the expected shortfall of coverage when m good samples fall on N real ones. C ~
/// BetaBinomial(m; k, N - k) is the number of them in one ball, and f(m) = E[min(C, k)] / k. The value is 1 for m < k,
/// as in the published code. O(M k).
/// @param realRows N, more than k
/// @param syntheticRows M
/// @return M + 1 values in [0, 1], descending
std::vector<double> coverageShortfall(std::size_t realRows, std::size_t syntheticRows, std::size_t k);

/// Values of coverageShortfall() at selected m. O(last + draws k).
/// @param draws the values m, ascending
/// @return one value in [0, 1] per m
std::vector<double> coverageShortfallAt(std::span<const std::size_t> draws, std::size_t realRows, std::size_t k);

/// Counts the values of coverageShortfall() above `bound` without computing all of them. O(k log M), or O(M k) if
/// `bound` nearly equals one of the values.
std::size_t coverageShortfallsAbove(double bound, std::size_t realRows, std::size_t syntheticRows, std::size_t k);

/// Counts the m in 0..M with f(m) < c = covered / (k N). The comparison uses shortfalls, which keep their digits where
/// f(m) is close to 1. Cost as coverageShortfallsAbove().
/// @param covered sum over the real samples of min(synthetic samples in the ball, k)
std::size_t coveragesBelow(std::uint64_t covered, std::size_t realRows, std::size_t syntheticRows, std::size_t k);

/// Calibration curve of clipped coverage: f(m / M), the expected mean coverage of m good samples, at up to 101 evenly
/// spaced shares m / M.
CurveValues coverageCalibration(const MetricInputs& in);

} // namespace assay::metrics

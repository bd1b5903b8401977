#pragma once

#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Scores of balls around samples, and of the nearest neighbours alone. For definitions, conventions and sources see
/// the catalogue and docs/metrics.md.
///
/// Precision, recall, density, coverage: Kynkaanniemi et al. 2019, Naeem et al. 2020, Khayatkhoei and AbdAlmageed 2023.
/// Precision cover and recall cover: Cheema and Urner, AISTATS 2023. Authenticity: Alaa et al., ICML 2022. Clipped
/// density, clipped coverage and their intermediate scores: Salvy, Talbot, Thirion, ICLR 2026.
namespace assay::metrics {

std::vector<double> ballHoldsReal(const MetricInputs& in);
double precision(const MetricInputs& in);
double recall(const MetricInputs& in);
double density(const MetricInputs& in);
double coverage(const MetricInputs& in);
double symPrecision(const MetricInputs& in);
double symRecall(const MetricInputs& in);

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

std::vector<double> authentic(const MetricInputs& in);
std::vector<double> nearestReal(const MetricInputs& in);
std::vector<double> nearestRealDistance(const MetricInputs& in);
std::vector<double> nearestSyntheticDistance(const MetricInputs& in);

// The nearest-neighbour two-sample test: Lopez-Paz, Oquab, ICLR 2017.

/// Per synthetic sample: 1 if its nearest other sample in the union of both sets is synthetic, 0 if it is real, 0.5 for
/// a tie.
std::vector<double> nearestIsSynthetic(const MetricInputs& in);
/// Per real sample: 1 if its nearest other sample in the union of both sets is real, 0 if it is synthetic, 0.5 for a
/// tie.
std::vector<double> nearestIsReal(const MetricInputs& in);
/// Accuracy of the test: the mean of the means of nearestIsReal() and nearestIsSynthetic(), in [0, 1].
double nearestNeighborAccuracy(const MetricInputs& in);

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

#pragma once

#include "engine/metrics/tables/metric.h"
#include "engine/metrics/tables/pass_tables.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/verdicts/equal_rows.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace assay {

/// Number of neighbours k' for the density ratio; smaller sets use all their other rows (densityNeighbors()).
constexpr std::size_t kDensityNeighbors = 20;

/// Number of equal rows up to which their counts tell a real sample that the model misses from one that is rarer in it
/// (equalRowPValues()). At sets of equal size a combination with 40 % of its real share has p = 0.05, one that is gone
/// 1e-6; with kDensityNeighbors it would be 0.005, and all other combinations would count as missed where one has
/// taken their share.
constexpr std::size_t kMissedRows = 10;

/// Version of the statistics that verdicts rest on; audit files record it. 1: with terms of the sizes of the sets,
/// which tell samples apart where distances tie, and without zero distances. 2: equal rows are counted only where both
/// sets have them, and ranked among distances. 3: docs/verdicts.md.
constexpr unsigned kVerdictStatistics = 3;

/// Verdict on a synthetic sample. The enumerator values are the values of the column `verdict`.
enum class Verdict { Good, Unrealistic, OverRepresented, Copy };
/// Verdict on a real sample. The enumerator values are the values of the column `coverage_verdict`.
enum class CoverageVerdict { Covered, Missed };

/// Words of the verdicts in CSV, JSON and rules, in the order of the enumerators.
constexpr std::array<std::string_view, 4> kVerdictWords{"good", "unrealistic", "over_represented", "copy"};
constexpr std::array<std::string_view, 2> kCoverageVerdictWords{"covered", "missed"};

/// Tests and verdicts of the synthetic samples. The false discovery rate bounds the expected share of wrong verdicts
/// among the rejected samples. Definitions: docs/verdicts.md. M values each.
struct VerdictScores {
    std::vector<double> logDensityRatio; ///< nats, up to a constant of the set sizes; can be infinite
    std::vector<double> copyRatio;       ///< in [0, infinity]; 0 for 0 / 0, infinite for x / 0
    std::vector<double> pUnrealistic;
    std::vector<double> pOverRepresented;
    std::vector<double> pCopy;
    std::vector<double> pAny;    ///< min(1, 3 times the smallest of the three p-values)
    std::vector<double> qAny;    ///< pAny adjusted for the false discovery rate (Benjamini-Hochberg)
    std::vector<double> verdict; ///< a Verdict as a number
    /// Margin of the test with the smallest p-value: 0 at the median good sample (the upper one of the middle two for
    /// an even number), 1 at the most extreme one.
    std::vector<double> evidence;
    std::vector<double> sidakP; ///< smallest p-value, Sidak-adjusted: uniform in (0, 1] for good samples
    /// The same columns for the calibration samples, which are known to be good: p_unrealistic, p_over_represented,
    /// p_copy, p_any (each a share of calibration samples that are at least as extreme), log_density_ratio, copy_ratio.
    std::vector<ColumnValues> good;
};

/// Tests and verdicts of the real samples: which ones the model does not cover, at the given false discovery rate. N
/// values each.
struct CoverageVerdicts {
    std::vector<double> coverageRatio; ///< nats, up to a constant of the set sizes; can be infinite
    std::vector<double> pUncovered;
    std::vector<double> qUncovered;
    std::vector<double> coverageVerdict; ///< a CoverageVerdict as a number
};

/// Neighbours of n held-out real samples, which calibrate the tests: they show what good samples score that the model
/// was not trained on.
struct HeldOutDistances {
    const NeighborTable& toReal;      ///< neighbours in the real set, n x at least max(k, k')
    const NeighborTable& toSynthetic; ///< neighbours in the synthetic set, n x at least k', k' = densityNeighbors(N, M)
};

/// Share of real samples whose copy ratio within the real set is at most 1: the distance to their nearest other real
/// sample is at most the distance from that one to a third. These samples would not count as authentic. In [0, 1].
double notAuthenticShare(const NeighborTable& real);

/// Returns k' = min(kDensityNeighbors, N - 1, M - 1).
std::size_t densityNeighbors(std::size_t realRows, std::size_t syntheticRows) noexcept;

/// Whether a sample may be at distance 0 from its k-th neighbours in the set that may be denser around it, so that the
/// tests need the number of rows that equal it.
/// @param heldOut as for judgeSynthetic()
bool needsEqualCounts(const MetricInputs& in, const HeldOutDistances* heldOut);

/// Computes tests and verdicts of the synthetic samples.
/// @param in with tables of at least k' neighbours
/// @param heldOut calibration samples; null: the real samples, each left out of its own neighbours
/// @param equal may be empty unless needsEqualCounts()
/// @param falseDiscoveryRate in (0, 1)
VerdictScores judgeSynthetic(const MetricInputs& in, const HeldOutDistances* heldOut, const EqualRowCounts& equal,
                             double falseDiscoveryRate);

/// Computes tests and verdicts of the real samples.
/// @param calibration coverage ratios of real samples against another part of the real set (splitCoverageRatios())
/// @param equal counts of the real samples; may be empty unless needsEqualCounts()
/// @param falseDiscoveryRate in (0, 1)
CoverageVerdicts judgeReal(const MetricInputs& in, std::vector<double> calibration, const EqualCounts& equal,
                           double falseDiscoveryRate);

namespace metrics {

/// Per synthetic sample: 1 if its verdict is `which`, else 0.
template <Verdict which>
std::vector<double> isVerdict(const MetricInputs& in) {
    return mapped(in.get<VerdictScores>().verdict,
                  [](double verdict) { return verdict == static_cast<double>(which) ? 1.0 : 0.0; });
}
/// Per sample: 1 if it is rejected (synthetic) or missed (real), else 0.
std::vector<double> isRejected(const MetricInputs& in);
std::vector<double> isMissed(const MetricInputs& in);

// Aggregates of the catalogue: shares of samples, in [0, 1].
double verdictRejected(const MetricInputs& in);
double estimatedBad(const MetricInputs& in);
double coverageMissed(const MetricInputs& in);

} // namespace metrics
} // namespace assay

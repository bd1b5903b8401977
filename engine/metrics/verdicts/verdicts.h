#pragma once

#include "engine/metrics/tables/metric.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace assay {

/// Neighbours that the density ratio is estimated from, where there are as many.
constexpr std::size_t kDensityNeighbors = 20;

/// What is said of a synthetic sample. The numbers are those of the column `verdict`.
enum class Verdict { Good, Unrealistic, OverRepresented, Copy };
/// What is said of a real sample. The numbers are those of the column `coverage_verdict`.
enum class CoverageVerdict { Covered, Missed };

/// In CSV, JSON and rules, in the order of the numbers.
constexpr std::array<std::string_view, 4> kVerdictWords{"good", "unrealistic", "over_represented", "copy"};
constexpr std::array<std::string_view, 2> kCoverageVerdictWords{"covered", "missed"};

/// What the good samples that the tests are calibrated on score themselves, one value each.
struct GoodScores {
    std::vector<double> pUnrealistic; ///< share of all of them that are at least as extreme
    std::vector<double> pOverRepresented;
    std::vector<double> pCopy;
    std::vector<double> pAny;
    std::vector<double> logDensityRatio;
    std::vector<double> copyRatio;
};

/// What every synthetic sample is accused of, with the rate of false accusations. Definitions: docs/verdicts.md. M
/// values each.
struct VerdictScores {
    std::vector<double> logDensityRatio; ///< nats
    std::vector<double> copyRatio;       ///< 0 for 0 / 0, infinite for x / 0
    std::vector<double> pUnrealistic;
    std::vector<double> pOverRepresented;
    std::vector<double> pCopy;
    std::vector<double> pAny;      ///< min(1, 3 times the smallest of the three)
    std::vector<double> qAny;      ///< pAny adjusted for the false discovery rate
    std::vector<double> verdict;   ///< a Verdict
    std::vector<double> evidence;  ///< of the strongest test: 0 as the median good sample, 1 as the most extreme one
    std::vector<double> leastEven; ///< the smallest of the three by Sidak: even in (0, 1] for good samples
    GoodScores good;
};

/// Which real samples the model misses, with the rate of false claims. N values each.
struct CoverageVerdicts {
    std::vector<double> coverageRatio; ///< nats
    std::vector<double> pUncovered;
    std::vector<double> qUncovered;
    std::vector<double> coverageVerdict; ///< a CoverageVerdict
};

/// Held-out real samples as calibration: what good samples score that the model did not see.
struct HeldOutDistances {
    const NeighborTable& toReal;      ///< n x at least max(k, k')
    const NeighborTable& toSynthetic; ///< n x at least k', k' = densityNeighbors(N, M)
};

/// Share of real samples that are no farther from their nearest other one than that one is from a third: what an
/// authenticity of real samples would lack.
double notAuthenticShare(const NeighborTable& real);

/// k' = min(kDensityNeighbors, N - 1, M - 1).
std::size_t densityNeighbors(std::size_t realRows, std::size_t syntheticRows) noexcept;

/// The synthetic side, from the tables alone.
/// @param in with tables of at least k' neighbours
/// @param heldOut the calibration; null: every real sample, left out of its own neighbours
/// @param falseDiscoveryRate in (0, 1)
VerdictScores judgeSynthetic(const MetricInputs& in, const HeldOutDistances* heldOut, double falseDiscoveryRate);

/// The real side.
/// @param calibration what real samples score against another part of the real set
/// (engine/metrics/verdicts/real_splits.h)
CoverageVerdicts judgeReal(const MetricInputs& in, std::vector<double> calibration, double falseDiscoveryRate);

namespace metrics {

std::vector<double> logDensityRatio(const MetricInputs& in);
std::vector<double> copyRatio(const MetricInputs& in);
std::vector<double> pUnrealistic(const MetricInputs& in);
std::vector<double> pOverRepresented(const MetricInputs& in);
std::vector<double> pCopy(const MetricInputs& in);
std::vector<double> pAny(const MetricInputs& in);
std::vector<double> qAny(const MetricInputs& in);
std::vector<double> evidence(const MetricInputs& in);
std::vector<double> verdict(const MetricInputs& in);
std::vector<double> coverageRatio(const MetricInputs& in);
std::vector<double> pUncovered(const MetricInputs& in);
std::vector<double> qUncovered(const MetricInputs& in);
std::vector<double> coverageVerdict(const MetricInputs& in);

double verdictRejected(const MetricInputs& in);
double verdictUnrealistic(const MetricInputs& in);
double verdictOverRepresented(const MetricInputs& in);
double verdictCopy(const MetricInputs& in);
double estimatedBad(const MetricInputs& in);
double coverageMissed(const MetricInputs& in);

} // namespace metrics
} // namespace assay

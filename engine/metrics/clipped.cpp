#include "engine/audit/audit_result.h"
#include "engine/metrics/families.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace assay::metrics {
namespace {

/// Sum of min(count, k): an integer, so that shares of it are exact to the last bit.
std::uint64_t cappedSum(std::span<const std::uint32_t> counts, std::size_t k) {
    std::uint64_t sum = 0;
    for (const std::uint32_t count : counts)
        sum += std::min<std::uint64_t>(count, k);
    return sum;
}

double cappedShare(std::span<const std::uint32_t> counts, std::size_t k) {
    return static_cast<double>(cappedSum(counts, k)) / (static_cast<double>(k) * static_cast<double>(counts.size()));
}

std::vector<double> cappedShares(std::span<const std::uint32_t> counts, std::size_t k) {
    std::vector<double> shares(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
        shares[i] = static_cast<double>(std::min<std::size_t>(counts[i], k)) / static_cast<double>(k);
    return shares;
}

} // namespace

std::vector<double> fidelity(const MetricInputs& in) {
    return cappedShares(in.pair.clippedBallsHolding, in.k);
}
std::vector<double> clippedBallCount(const MetricInputs& in) {
    return asNumbers(in.pair.clippedBallsHolding);
}
std::vector<double> coveragePerReal(const MetricInputs& in) {
    return cappedShares(in.pair.insideBall, in.k);
}
std::vector<double> ballSyntheticCount(const MetricInputs& in) {
    return asNumbers(in.pair.insideBall);
}

double clippedDensityUnnormalized(const MetricInputs& in) {
    return cappedShare(in.pair.clippedBallsHolding, in.k);
}
double clippedDensityReal(const MetricInputs& in) {
    return cappedShare(in.real.clippedBallsHolding, in.k);
}
double clippedDensityUnclipped(const MetricInputs& in) {
    return clippedDensityUnnormalized(in) / clippedDensityReal(in);
}
double clippedDensity(const MetricInputs& in) {
    return std::min(clippedDensityUnclipped(in), 1.0);
}
double clippedCoverageUnnormalized(const MetricInputs& in) {
    return cappedShare(in.pair.insideBall, in.k);
}

double clippedCoverage(const MetricInputs& in) {
    // The number of m with f(m) < c, counted by shortfalls: 1 - f(m) keeps its digits where f(m) comes close to 1.
    const std::size_t realRows = in.pair.insideBall.size();
    const std::size_t syntheticRows = in.pair.clippedBallsHolding.size();
    const auto whole = static_cast<std::uint64_t>(in.k) * realRows;
    const double missing =
        static_cast<double>(whole - cappedSum(in.pair.insideBall, in.k)) / static_cast<double>(whole);
    const std::vector<double> shortfall = coverageShortfall(realRows, syntheticRows, in.k);
    const auto below = std::count_if(shortfall.begin(), shortfall.end(), [missing](double s) { return s > missing; });
    return static_cast<double>(below) / static_cast<double>(syntheticRows + 1);
}

double overOccurringFraction(const MetricInputs& in) {
    return shareAbove(in.pair.ballsHolding, in.k);
}
double overOccurringFractionClippedRadii(const MetricInputs& in) {
    return shareAbove(in.pair.clippedBallsHolding, in.k);
}

double densityClippedRadii(const MetricInputs& in) {
    return meanOf(clippedBallCount(in)) / static_cast<double>(in.k);
}

std::vector<double> coverageShortfall(std::size_t realRows, std::size_t syntheticRows, std::size_t k) {
    std::vector<double> shortfall(syntheticRows + 1, 1.0);
    const auto kk = static_cast<long double>(k);
    const auto rest = static_cast<long double>(realRows - k);
    constexpr long double kRescaleAbove = 1e200L;
    // log P(C = 0) for m draws is the sum over t < m of log((N - k + t) / (N + t)).
    long double logNone = 0.0L;
    for (std::size_t m = 0; m <= syntheticRows; ++m) {
        const auto draws = static_cast<long double>(m);
        if (m >= k) {
            // Terms relative to P(C = 0), with the exponent kept apart: for large k P(C = 0) itself is below any float.
            long double term = 1.0L;
            long double sum = 0.0L;
            long double logScale = logNone;
            for (std::size_t j = 0; j < k; ++j) {
                const auto jj = static_cast<long double>(j);
                sum += (kk - jj) * term;
                // P(j + 1) / P(j) = (m - j) / (j + 1) * (k + j) / (N - k + m - j - 1)
                term *= (draws - jj) / (jj + 1.0L) * (kk + jj) / (rest + draws - jj - 1.0L);
                if (term > kRescaleAbove) {
                    term /= kRescaleAbove;
                    sum /= kRescaleAbove;
                    logScale += std::log(kRescaleAbove);
                }
            }
            shortfall[m] = static_cast<double>(sum > 0.0L ? std::exp(std::log(sum / kk) + logScale) : 0.0L);
        }
        logNone += std::log1p(-kk / (static_cast<long double>(realRows) + draws));
    }
    return shortfall;
}

} // namespace assay::metrics

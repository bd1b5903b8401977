#include "engine/metrics/balls/ball_scores.h"

#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace assay::metrics {
namespace {

/// Per row: 1 if its nearest other sample is in its own set, 0 if it is in the other set, 0.5 for a tie.
/// @param own neighbours in the row's own set
/// @param other neighbours in the other set
std::vector<double> nearestIsOwn(const NeighborTable& own, const NeighborTable& other) {
    std::vector<double> shares(own.rows());
    for (std::size_t row = 0; row < shares.size(); ++row) {
        const double toOwn = own.distanceAt(row, 0);
        const double toOther = other.distanceAt(row, 0);
        shares[row] = toOwn < toOther ? 1.0 : toOwn > toOther ? 0.0 : 0.5;
    }
    return shares;
}

} // namespace

std::vector<double> ballHoldsReal(const MetricInputs& in) {
    std::vector<double> flags(in.pair.syntheticRadius.size());
    for (std::size_t j = 0; j < flags.size(); ++j)
        flags[j] = in.pair.synthetic.nearest.distanceAt(j, 0) <= in.pair.syntheticRadius[j] ? 1.0 : 0.0;
    return flags;
}

double precision(const MetricInputs& in) {
    return shareAbove(in.pair.synthetic.holding, 0);
}
double recall(const MetricInputs& in) {
    return shareAbove(in.pair.real.holding, 0);
}
double density(const MetricInputs& in) {
    return meanOf(asNumbers(in.pair.synthetic.holding)) / static_cast<double>(in.k);
}
double coverage(const MetricInputs& in) {
    return shareAbove(in.pair.real.inside, 0);
}

double symPrecision(const MetricInputs& in) {
    return std::min(precision(in), meanOf(ballHoldsReal(in)));
}

double symRecall(const MetricInputs& in) {
    return std::min(recall(in), coverage(in));
}

std::vector<double> coverFlags(const NeighborTable& toOther, const NeighborTable& own, std::size_t k,
                               std::size_t ownRank) {
    std::vector<double> flags(toOther.rows(), kNaN);
    if (toOther.k < k || own.k < ownRank)
        return flags;
    for (std::size_t row = 0; row < flags.size(); ++row) {
        const double within = ownRank == 0 ? 0.0 : own.distanceAt(row, ownRank - 1);
        flags[row] = toOther.distanceAt(row, k - 1) <= within ? 1.0 : 0.0;
    }
    return flags;
}

std::vector<double> precisionCovered(const MetricInputs& in) {
    return coverFlags(in.pair.synthetic.nearest, in.pair.syntheticToSynthetic, in.cover.k, in.cover.neighbors());
}

std::vector<double> recallCovered(const MetricInputs& in) {
    return coverFlags(in.pair.real.nearest, in.real.neighbors, in.cover.k, in.cover.neighbors());
}

std::vector<double> nearestReal(const MetricInputs& in) {
    const NeighborTable& table = in.pair.synthetic.nearest;
    std::vector<double> rows(table.rows());
    for (std::size_t j = 0; j < rows.size(); ++j)
        rows[j] = static_cast<double>(table.indexAt(j, 0));
    return rows;
}

std::vector<double> nearestRealDistance(const MetricInputs& in) {
    return in.pair.synthetic.nearest.distancesAt(1);
}
std::vector<double> nearestSyntheticDistance(const MetricInputs& in) {
    return in.pair.real.nearest.distancesAt(1);
}

std::vector<double> authentic(const MetricInputs& in) {
    const NeighborTable& toReal = in.pair.synthetic.nearest;
    std::vector<double> flags(toReal.rows());
    for (std::size_t j = 0; j < flags.size(); ++j) {
        // A tie is unauthentic: an exact copy of a duplicated training sample must not pass.
        const double ownNearest = in.real.neighbors.distanceAt(toReal.indexAt(j, 0), 0);
        flags[j] = toReal.distanceAt(j, 0) > ownNearest ? 1.0 : 0.0;
    }
    return flags;
}

std::vector<double> nearestIsSynthetic(const MetricInputs& in) {
    return nearestIsOwn(in.pair.syntheticToSynthetic, in.pair.synthetic.nearest);
}

std::vector<double> nearestIsReal(const MetricInputs& in) {
    return nearestIsOwn(in.real.neighbors, in.pair.real.nearest);
}

double nearestNeighborAccuracy(const MetricInputs& in) {
    return (meanOf(nearestIsSynthetic(in)) + meanOf(nearestIsReal(in))) / 2.0;
}

namespace {

/// Sum of min(count, k). It is an integer, so shares of it are exact to the last bit.
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

/// Computes 1 - f(m), see coverageShortfall(), from log P(C = 0). O(k).
double shortfallAt(std::size_t draws, std::size_t realRows, std::size_t k, long double logNone) {
    if (draws < k)
        return 1.0;
    constexpr long double kRescaleAbove = 1e200L;
    const auto kk = static_cast<long double>(k);
    const auto rest = static_cast<long double>(realRows - k);
    const auto m = static_cast<long double>(draws);
    // Terms relative to P(C = 0), with the exponent kept apart: for large k P(C = 0) itself is below any float.
    long double term = 1.0L;
    long double sum = 0.0L;
    long double logScale = logNone;
    for (std::size_t j = 0; j < k; ++j) {
        const auto jj = static_cast<long double>(j);
        sum += (kk - jj) * term;
        // P(j + 1) / P(j) = (m - j) / (j + 1) * (k + j) / (N - k + m - j - 1)
        term *= (m - jj) / (jj + 1.0L) * (kk + jj) / (rest + m - jj - 1.0L);
        if (term > kRescaleAbove) {
            term /= kRescaleAbove;
            sum /= kRescaleAbove;
            logScale += std::log(kRescaleAbove);
        }
    }
    return static_cast<double>(sum > 0.0L ? std::exp(std::log(sum / kk) + logScale) : 0.0L);
}

/// Computes 1 - f(m) for successive m.
class Shortfall {
public:
    Shortfall(std::size_t realRows, std::size_t k) : realRows_(realRows), k_(k), kk_(static_cast<long double>(k)) {}

    std::size_t draws() const { return draws_; }

    void addDraw() {
        logNone_ += std::log1p(-kk_ / static_cast<long double>(realRows_ + draws_));
        ++draws_;
    }

    /// The value at the current m. O(k).
    double value() const { return shortfallAt(draws_, realRows_, k_, logNone_); }

private:
    std::size_t realRows_, k_;
    long double kk_;
    std::size_t draws_ = 0;
    /// log P(C = 0): the sum over t < m of log((N - k + t) / (N + t)).
    long double logNone_ = 0.0L;
};

/// Computes 1 - f(m) up to rounding errors without a sum over draws: all but k factors of P(C = 0) cancel.
double nearlyShortfall(std::size_t draws, std::size_t realRows, std::size_t k) {
    long double logNone = 0.0L;
    for (std::size_t j = 0; j < k && draws >= k; ++j)
        logNone -= std::log1p(static_cast<long double>(draws) / static_cast<long double>(realRows - k + j));
    return shortfallAt(draws, realRows, k, logNone);
}

/// Counts the values of coverageShortfall() above `bound`; empty if rounding errors could change the count.
std::optional<std::size_t> clearlyAbove(double bound, std::size_t realRows, std::size_t syntheticRows, std::size_t k) {
    constexpr double kClear = 1e-9; // far more than rounding and far less than from one m to the next
    constexpr double kTiny = 1e-290;
    std::size_t above = 0;
    for (std::size_t end = syntheticRows + 1; above < end;) {
        const std::size_t middle = above + (end - above) / 2;
        if (nearlyShortfall(middle, realRows, k) > bound)
            above = middle + 1;
        else
            end = middle;
    }
    const bool lastIsAbove =
        above == 0 || nearlyShortfall(above - 1, realRows, k) > std::max(bound * (1.0 + kClear), kTiny);
    const bool nextIsBelow =
        above > syntheticRows || nearlyShortfall(above, realRows, k) < std::max(bound * (1.0 - kClear), 0.0);
    return lastIsAbove && nextIsBelow ? std::optional(above) : std::nullopt;
}

} // namespace

std::vector<double> fidelity(const MetricInputs& in) {
    return cappedShares(in.pair.synthetic.innerHolding, in.k);
}
std::vector<double> realFidelity(const RealAnalysis& real) {
    return cappedShares(real.innerHolding, real.k);
}
std::vector<double> coveragePerReal(const MetricInputs& in) {
    return cappedShares(in.pair.real.inside, in.k);
}

double clippedDensityUnnormalized(const MetricInputs& in) {
    return cappedShare(in.pair.synthetic.innerHolding, in.k);
}
double clippedDensityReal(const MetricInputs& in) {
    return cappedShare(in.real.innerHolding, in.k);
}
double clippedDensityUnclipped(const MetricInputs& in) {
    return clippedDensityUnnormalized(in) / clippedDensityReal(in);
}
double clippedDensity(const MetricInputs& in) {
    return std::min(clippedDensityUnclipped(in), 1.0);
}
double clippedCoverageUnnormalized(const MetricInputs& in) {
    return cappedShare(in.pair.real.inside, in.k);
}

double clippedCoverage(const MetricInputs& in) {
    const std::size_t syntheticRows = in.pair.synthetic.innerHolding.size();
    const std::size_t below =
        coveragesBelow(cappedSum(in.pair.real.inside, in.k), in.pair.real.inside.size(), syntheticRows, in.k);
    return static_cast<double>(below) / static_cast<double>(syntheticRows + 1);
}

std::optional<Bounds> exactCoverageBounds(const MetricInputs& in) {
    constexpr std::size_t kFew = 40;
    constexpr std::size_t kOneIn = 10;
    const std::size_t slots = in.k * in.pair.real.inside.size();
    const std::size_t empty = slots - cappedSum(in.pair.real.inside, in.k);
    if (empty >= kFew || empty * kOneIn >= slots)
        return std::nullopt;
    const Bounds share = clopperPearson(empty, slots);
    return Bounds{1.0 - share.high, 1.0 - share.low};
}

double overOccurringFraction(const MetricInputs& in) {
    return shareAbove(in.pair.synthetic.holding, in.k);
}
double overOccurringFractionClippedRadii(const MetricInputs& in) {
    return shareAbove(in.pair.synthetic.innerHolding, in.k);
}

double densityClippedRadii(const MetricInputs& in) {
    return meanOf(asNumbers(in.pair.synthetic.innerHolding)) / static_cast<double>(in.k);
}

std::vector<double> coverageShortfall(std::size_t realRows, std::size_t syntheticRows, std::size_t k) {
    std::vector<std::size_t> draws(syntheticRows + 1);
    std::iota(draws.begin(), draws.end(), std::size_t{0});
    return coverageShortfallAt(draws, realRows, k);
}

std::vector<double> coverageShortfallAt(std::span<const std::size_t> draws, std::size_t realRows, std::size_t k) {
    std::vector<double> shortfall;
    Shortfall at(realRows, k);
    for (const std::size_t m : draws) {
        while (at.draws() < m)
            at.addDraw();
        shortfall.push_back(at.value());
    }
    return shortfall;
}

std::size_t coverageShortfallsAbove(double bound, std::size_t realRows, std::size_t syntheticRows, std::size_t k) {
    if (const auto above = clearlyAbove(bound, realRows, syntheticRows, k))
        return *above;
    Shortfall at(realRows, k);
    while (at.draws() <= syntheticRows && at.value() > bound)
        at.addDraw();
    return at.draws();
}

std::size_t coveragesBelow(std::uint64_t covered, std::size_t realRows, std::size_t syntheticRows, std::size_t k) {
    const std::uint64_t whole = static_cast<std::uint64_t>(k) * realRows;
    const double missing = static_cast<double>(whole - covered) / static_cast<double>(whole);
    // f(m) = m / N - E[max(C - k, 0)] / k: of draws beyond k it is below m / N, by less than rounding where they are
    // few among many real samples.
    const std::uint64_t fewest = covered / k;
    const std::size_t surely =
        fewest > k ? static_cast<std::size_t>(std::min<std::uint64_t>(fewest, syntheticRows)) + 1 : 0;
    return std::max(surely, coverageShortfallsAbove(missing, realRows, syntheticRows, k));
}

CurveValues coverageCalibration(const MetricInputs& in) {
    constexpr std::size_t kSteps = 100;
    const std::size_t rows = in.pair.synthetic.innerHolding.size();
    const std::size_t steps = std::min(kSteps, rows);
    std::vector<std::size_t> draws;
    for (std::size_t step = 0; step <= steps; ++step)
        draws.push_back(step * rows / steps);
    CurveValues curve{{}, {}, {{{}, {}}}};
    for (const std::size_t m : draws)
        curve.x.push_back(static_cast<double>(m) / static_cast<double>(rows));
    for (const double shortfall : coverageShortfallAt(draws, in.pair.real.inside.size(), in.k))
        curve.lines.front().y.push_back(1.0 - shortfall);
    return curve;
}

} // namespace assay::metrics

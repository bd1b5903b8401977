// The thresholds of sample_pairs.h, measured within the real set.
#include "engine/audit/result/sample_pairs.h"
#include "engine/base/random.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/verdicts/copy_ratio.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMaxDraws = 20;
constexpr std::size_t kFewestRatios = 4000;
constexpr std::size_t kRowsPerLook = 16384;

/// The largest bound such that, by conformal p-values, at most a share of good samples lie below it. A value x lies
/// below it if (1 + number of ratios <= x) / (1 + number of ratios) <= share. NaN ratios count as the smallest, so that
/// missing values never lead to a rejection. kNoneRemarkable if more than that share are 0.
double lowBound(std::vector<double> ratios, double share) {
    for (double& ratio : ratios)
        ratio = std::isnan(ratio) ? 0.0 : ratio;
    constexpr double kRounding = 1e-9; // 0.01 * 2900 must not fall below 29
    const double allowed = std::floor(share * static_cast<double>(ratios.size() + 1) + kRounding);
    if (allowed < 1.0 || ratios.empty())
        return 0.0;
    const double bound = orderStatistic(std::span(ratios), static_cast<std::size_t>(allowed) - 1);
    return bound > 0.0 ? bound : kNoneRemarkable;
}

/// Draws `count` real rows that play the synthetic set.
/// @return one flag per row
std::vector<bool> drawPlayers(std::size_t rows, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<bool> plays(rows, false);
    // Selection sampling (Knuth, volume 2, algorithm 3.4.2 S): goes through the rows in order, without a list of them.
    for (std::size_t row = 0; row < rows && count > 0; ++row)
        if (random.below(rows - row) < count) {
            plays[row] = true;
            --count;
        }
    return plays;
}

/// Rank of a row's first listed neighbour whose flag in `plays` equals `wanted`; table.k if there is none.
std::size_t firstRank(const NeighborTable& table, std::size_t row, const std::vector<bool>& plays, bool wanted) {
    std::size_t rank = 0;
    while (rank < table.k && plays[table.indexAt(row, rank)] != wanted)
        ++rank;
    return rank;
}

/// Reference of a sample, as in duplicatePairs(), within one draw; NaN if a list is too short.
double referenceOf(const NeighborTable& table, std::size_t row, const std::vector<bool>& plays) {
    const std::size_t rank = firstRank(table, row, plays, false);
    if (rank == table.k)
        return kNaN;
    const std::uint32_t nearest = table.indexAt(row, rank);
    const std::size_t other = firstRank(table, nearest, plays, false);
    return other == table.k ? kNaN : table.distanceAt(nearest, other);
}

/// Appends, for each row that plays the synthetic set, the ratio of the row and its nearest other such row. If the list
/// is too short, the distance to its end is a lower bound of the distance, so the threshold can be too low but never
/// too high. Rows without a reference are left out.
void appendRatios(std::vector<double>& ratios, const NeighborTable& real, const std::vector<bool>& plays,
                  const JobContext& job) {
    for (std::size_t row = 0; row < plays.size(); ++row) {
        if (row % kRowsPerLook == 0)
            job.throwIfStopped();
        if (!plays[row])
            continue;
        const double own = referenceOf(real, row, plays);
        if (std::isnan(own))
            continue;
        const std::size_t rank = firstRank(real, row, plays, true);
        if (rank == real.k) {
            ratios.push_back(distanceRatio(real.distanceAt(row, real.k - 1), own));
            continue;
        }
        const double others = referenceOf(real, real.indexAt(row, rank), plays);
        if (!std::isnan(others))
            ratios.push_back(distanceRatio(real.distanceAt(row, rank), std::min(own, others)));
    }
}

} // namespace

double duplicateThreshold(const NeighborTable& real, std::size_t syntheticRows, std::uint64_t seed,
                          const JobContext& job) {
    const std::size_t rows = real.rows();
    const auto n = static_cast<double>(rows);
    const auto m = static_cast<double>(syntheticRows);
    const auto players = static_cast<std::size_t>(std::llround(n * m / std::max(1.0, n + m)));
    if (players < 2 || rows - players < 2)
        return 0.0;
    std::vector<double> ratios;
    for (std::size_t draw = 0; draw < kMaxDraws && ratios.size() < kFewestRatios; ++draw)
        appendRatios(ratios, real,
                     drawPlayers(rows, players, streamSeed(seed, "duplicate threshold " + std::to_string(draw))), job);
    return lowBound(std::move(ratios), kRemarkableShare);
}

double copyThreshold(const NeighborTable& real) {
    return lowBound(copyRatiosWithin(real), kRemarkableShare);
}

} // namespace assay

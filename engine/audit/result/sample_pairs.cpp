#include "engine/audit/result/sample_pairs.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/random.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/verdicts/sample_statistics.h"
#include "engine/metrics/verdicts/sample_units.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kRowsBetweenStops = 16384;

void stopIfAsked(std::size_t row, const JobContext& job) {
    if (row % kRowsBetweenStops == 0)
        job.throwIfStopped();
}

/// Per sample: the distance from its nearest real sample to that sample's nearest other real sample.
std::vector<double> references(const NeighborTable& toReal, const NeighborTable& real) {
    std::vector<double> distances(toReal.rows());
    for (std::size_t j = 0; j < distances.size(); ++j)
        distances[j] = real.distanceAt(toReal.indexAt(j, 0), 0);
    return distances;
}

SamplePair pairOf(std::size_t a, std::size_t b, double distance, const std::vector<double>& reference) {
    return {static_cast<std::uint32_t>(std::min(a, b)), static_cast<std::uint32_t>(std::max(a, b)), distance,
            distanceRatio(distance, std::min(reference[a], reference[b]))};
}

SamplePairs sorted(std::vector<SamplePair> pairs, double threshold, const JobContext& job) {
    job.throwIfStopped();
    std::sort(pairs.begin(), pairs.end(), [](const SamplePair& a, const SamplePair& b) {
        return std::tie(a.ratio, a.distance, a.first, a.second) < std::tie(b.ratio, b.distance, b.first, b.second);
    });
    const auto end = std::partition_point(
        pairs.begin(), pairs.end(), [threshold](const SamplePair& pair) { return isRemarkable(pair, threshold); });
    const auto remarkable = static_cast<std::size_t>(end - pairs.begin());
    return {std::move(pairs), threshold, remarkable};
}

/// Disjoint sets of rows (union-find); the lowest row represents its set.
class JoinedRows {
public:
    explicit JoinedRows(std::size_t rows) : parent_(rows) { std::iota(parent_.begin(), parent_.end(), 0U); }

    std::uint32_t lowest(std::uint32_t row) {
        while (parent_[row] != row)
            row = parent_[row] = parent_[parent_[row]]; // halves the path
        return row;
    }

    void join(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t first = lowest(a);
        const std::uint32_t second = lowest(b);
        parent_[std::max(first, second)] = std::min(first, second);
    }

private:
    std::vector<std::uint32_t> parent_;
};

bool hasTables(const RealAnalysis& real, const ModelAudit& model) {
    return real.neighbors.rows() > 0 && model.tables->synthetic.nearest.rows() > 0;
}

} // namespace

std::vector<std::uint32_t> unitsOf(const RealAnalysis& real) {
    return real.set->hasGroups() ? unitsByGroup(real.set->groups()) : std::vector<std::uint32_t>();
}

SamplePairs duplicatePairs(const RealAnalysis& real, const ModelAudit& model, std::uint64_t seed,
                           const JobContext& job) {
    const NeighborTable& own = model.tables->syntheticToSynthetic;
    if (own.rows() == 0 || !hasTables(real, model))
        return {};
    const std::vector<double> reference = references(model.tables->synthetic.nearest, real.neighbors);
    std::vector<SamplePair> pairs;
    pairs.reserve(own.rows());
    for (std::size_t j = 0; j < own.rows(); ++j) {
        stopIfAsked(j, job);
        const std::uint32_t nearest = own.indexAt(j, 0);
        const bool listedBefore = nearest < j && own.indexAt(nearest, 0) == j;
        if (!listedBefore)
            pairs.push_back(pairOf(j, nearest, own.distanceAt(j, 0), reference));
    }
    return sorted(std::move(pairs), duplicateThreshold(real.neighbors, own.rows(), seed, job, unitsOf(real)), job);
}

SamplePairs copyPairs(const RealAnalysis& real, const ModelAudit& model, const JobContext& job) {
    if (!hasTables(real, model))
        return {};
    const NeighborTable& toReal = model.tables->synthetic.nearest;
    const std::vector<double> ratios = copyRatios(toReal, real.neighbors);
    std::vector<SamplePair> pairs(toReal.rows());
    for (std::size_t j = 0; j < pairs.size(); ++j) {
        stopIfAsked(j, job);
        pairs[j] = {static_cast<std::uint32_t>(j), toReal.indexAt(j, 0), toReal.distanceAt(j, 0), ratios[j]};
    }
    return sorted(std::move(pairs), copyThreshold(real.neighbors, unitsOf(real)), job);
}

SamplePairs exposedPairs(const ModelAudit& model, std::size_t heldOutRows, const JobContext& job) {
    const NeighborTable& nearest = model.tables->real.nearest;
    if (nearest.rows() == 0 || !model.hasColumn("membership_rank"))
        return {};
    const std::vector<double>& ranks = model.column("membership_rank");
    std::vector<SamplePair> pairs(nearest.rows());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        stopIfAsked(i, job);
        pairs[i] = {static_cast<std::uint32_t>(i), nearest.indexAt(i, 0), nearest.distanceAt(i, 0), 1.0 - ranks[i]};
    }
    // Found are those as near as at most 1 % of the held-out samples. Ratios are multiples of 1 / heldOutRows, and the
    // threshold lies between two of them.
    const auto rows = static_cast<double>(heldOutRows);
    const double threshold = (std::floor(kRemarkableShare * rows) + 0.5) / rows;
    SamplePairs result = sorted(std::move(pairs), threshold, job);
    // At distance 0, too, a sample is exposed only if held-out samples are not.
    const auto isFound = [threshold](const SamplePair& pair) { return pair.ratio < threshold; };
    result.remarkable =
        static_cast<std::size_t>(std::ranges::partition_point(result.pairs, isFound) - result.pairs.begin());
    return result;
}

std::vector<std::uint32_t> duplicateRepresentatives(const RealAnalysis& real, const ModelAudit& model, double threshold,
                                                    const JobContext& job) {
    const NeighborTable& own = model.tables->syntheticToSynthetic;
    if (own.rows() == 0 || !hasTables(real, model))
        return {};
    const std::vector<double> reference = references(model.tables->synthetic.nearest, real.neighbors);
    JoinedRows groups(own.rows());
    for (std::size_t j = 0; j < own.rows(); ++j) {
        stopIfAsked(j, job);
        for (std::size_t rank = 0; rank < own.k; ++rank) {
            const double distance = own.distanceAt(j, rank);
            // The other sample's reference can only make the ratio larger, and further neighbours are no nearer.
            if (distance > 0.0 && !(distanceRatio(distance, reference[j]) < threshold))
                break;
            const std::uint32_t other = own.indexAt(j, rank);
            if (isRemarkable(pairOf(j, other, distance, reference), threshold))
                groups.join(static_cast<std::uint32_t>(j), other);
        }
    }
    std::vector<std::uint32_t> representatives(own.rows());
    for (std::uint32_t j = 0; j < representatives.size(); ++j)
        representatives[j] = groups.lowest(j);
    return representatives;
}

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

/// Draws a share of the real rows that play the synthetic set: `count` of them, or as many whole groups in proportion.
/// @param unit per row: number of its group; empty without groups
/// @return one flag per row
std::vector<bool> drawPlayers(std::size_t rows, std::size_t count, std::span<const std::uint32_t> unit,
                              std::uint64_t seed) {
    Random random(seed);
    const std::size_t units = unit.empty() ? rows : groupsIn(unit);
    std::size_t left = count * units / rows;
    std::vector<bool> plays(units, false);
    // Selection sampling (Knuth, volume 2, algorithm 3.4.2 S): goes through the rows in order, without a list of them.
    for (std::size_t one = 0; one < units && left > 0; ++one)
        if (random.below(units - one) < left) {
            plays[one] = true;
            --left;
        }
    if (unit.empty())
        return plays;
    std::vector<bool> rowPlays(rows);
    for (std::size_t row = 0; row < rows; ++row)
        rowPlays[row] = plays[unit[row]];
    return rowPlays;
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
                          const JobContext& job, std::span<const std::uint32_t> unit) {
    const std::size_t rows = real.rows();
    const auto n = static_cast<double>(rows);
    const auto m = static_cast<double>(syntheticRows);
    const auto players = static_cast<std::size_t>(std::llround(n * m / std::max(1.0, n + m)));
    if (players < 2 || rows - players < 2)
        return 0.0;
    std::vector<double> ratios;
    for (std::size_t draw = 0; draw < kMaxDraws && ratios.size() < kFewestRatios; ++draw)
        appendRatios(ratios, real,
                     drawPlayers(rows, players, unit, streamSeed(seed, "duplicate threshold " + std::to_string(draw))),
                     job);
    return lowBound(std::move(ratios), kRemarkableShare);
}

double copyThreshold(const NeighborTable& real, std::span<const std::uint32_t> unit) {
    return lowBound(unit.empty() ? copyRatiosWithin(real) : copyRatiosOutside(real, unit), kRemarkableShare);
}

std::shared_ptr<const PairLists> findPairs(const AuditResult& audit, std::size_t model, const JobContext& job) {
    auto found = std::make_shared<PairLists>();
    found->model = audit.models[model];
    found->heldOut = audit.heldOut;
    found->lists = {
        duplicatePairs(*audit.real, *found->model, audit.seed, job), copyPairs(*audit.real, *found->model, job),
        found->heldOut ? copyPairs(*audit.real, *found->heldOut->audit, job) : SamplePairs{}, SamplePairs{}};
    return found;
}

std::shared_ptr<const PairLists> findExposed(const AuditResult& audit, std::size_t model, const JobContext& job) {
    auto found = std::make_shared<PairLists>();
    found->model = audit.models[model];
    found->heldOut = audit.heldOut;
    if (found->heldOut)
        found->lists[static_cast<std::size_t>(PairKind::Exposed)] =
            exposedPairs(*found->model, found->heldOut->audit->set->rows(), job);
    return found;
}

} // namespace assay

#include "engine/metrics/verdicts/real_splits.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/data/gather_rows.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/tables/pass_tables.h"
#include "engine/metrics/verdicts/density_ratio.h"
#include "engine/metrics/verdicts/equal_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay {
namespace {

constexpr std::size_t kMostSplits = 20;
/// Target number of calibration values: several per real sample, so that p-values hardly depend on the random split.
/// One split's worth is enough if the part that plays the synthetic set is small, because then neighbour lists often
/// end before its k-th member.
constexpr std::size_t kValuesPerRow = 4;
constexpr std::size_t kFewestValues = 4000;
constexpr double kSmallPart = 0.25;
constexpr std::size_t kFewestTimesK = 8; ///< rows of the part that plays the real set, in multiples of k
constexpr std::size_t kRowsListed = 2048;

/// One random split of the real rows.
struct Split {
    std::vector<std::uint32_t> synthetic; ///< rows that play the synthetic set, ascending
    std::vector<std::uint32_t> real;      ///< rows that play the real set, ascending
    std::vector<bool> playsSynthetic;     ///< one flag per real row
};

/// The part of a split in which neighbours are searched.
struct SplitPart {
    MatrixView set; ///< all real rows
    std::size_t k;  ///< which neighbour
    bool synthetic; ///< the part that plays the synthetic set; else the other, without the row itself
};

Split splitRows(std::size_t rows, std::size_t synthetic, std::uint64_t seed) {
    const std::vector<std::uint32_t> order = Random(seed).order(rows);
    Split split;
    split.playsSynthetic.assign(rows, false);
    for (std::size_t i = 0; i < synthetic; ++i)
        split.playsSynthetic[order[i]] = true;
    for (std::uint32_t row = 0; row < rows; ++row)
        (split.playsSynthetic[row] ? split.synthetic : split.real).push_back(row);
    return split;
}

/// Distance from a row to its k-th listed neighbour in one part; -1 if the list contains fewer than k rows of that
/// part.
double listedDistance(const NeighborTable& table, std::size_t row, const Split& split, bool synthetic, std::size_t k) {
    std::size_t found = 0;
    for (std::size_t rank = 0; rank < table.k; ++rank)
        if (split.playsSynthetic[table.indexAt(row, rank)] == synthetic && ++found == k)
            return table.distanceAt(row, rank);
    return -1.0;
}

/// Searches the distances that the neighbour lists do not contain: from rows of `split.real` to their k-th neighbour
/// among `part`.
/// @param distances one per row of `split.real`; negative values are replaced
void searchMissing(std::vector<double>& distances, const Split& split, const SplitPart& part,
                   const NeighborSearch& search, const JobContext& job) {
    std::vector<std::uint32_t> places;
    std::vector<std::uint32_t> rows;
    for (std::size_t a = 0; a < distances.size(); ++a)
        if (distances[a] < 0.0) {
            places.push_back(static_cast<std::uint32_t>(a));
            rows.push_back(split.real[a]);
        }
    if (rows.empty())
        return;
    const MatrixView set = part.set;
    const std::vector<std::uint32_t>& members = part.synthetic ? split.synthetic : split.real;
    const std::vector<float> queries = gatherRows(set, rows);
    const std::vector<float> base = gatherRows(set, members);
    const std::size_t wanted = part.synthetic ? part.k : part.k + 1; // at distance 0 from themselves
    const CrossResult found = search.cross(
        {{queries.data(), rows.size(), set.dim}, {base.data(), members.size(), set.dim}, wanted, 0, {}, {}, {}}, job);
    for (std::size_t i = 0; i < places.size(); ++i)
        distances[places[i]] = found.aToB.distanceAt(i, wanted - 1);
}

/// Distances of the rows of `split.real` to their k-th neighbour in one part.
std::vector<double> distancesToPart(const SplitPart& part, const NeighborTable& listed, const Split& split,
                                    const NeighborSearch& search, const ComputeContext& context) {
    std::vector<double> distances(split.real.size());
    parallelRanges(distances.size(), kRowsListed, context.threads, context.job.silent(),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       for (std::size_t a = first; a < last; ++a)
                           distances[a] = listedDistance(listed, split.real[a], split, part.synthetic, part.k);
                   });
    searchMissing(distances, split, part, search, context.job);
    return distances;
}

/// For the rows of `split.real`: how many other rows of each part equal them. Empty without groups.
/// @param groups groups of the real rows, as set 0; or none
EqualCounts equalInParts(const EqualRows& groups, const Split& split) {
    if (groups.group.empty())
        return {};
    const std::vector<std::uint32_t>& group = groups.group.front();
    std::vector<std::uint32_t> inSynthetic(groups.groups, 0);
    std::vector<std::uint32_t> inReal(groups.groups, 0);
    for (const std::uint32_t row : split.synthetic)
        ++inSynthetic[group[row]];
    for (const std::uint32_t row : split.real)
        ++inReal[group[row]];
    EqualCounts counts;
    for (const std::uint32_t row : split.real) {
        counts.inReal.push_back(inReal[group[row]] - 1); // without the row itself
        counts.inSynthetic.push_back(inSynthetic[group[row]]);
    }
    return counts;
}

} // namespace

std::vector<double> splitCoverageRatios(const RealAnalysis& real, std::size_t syntheticRows, std::size_t k,
                                        const NeighborSearch& search, const ComputeContext& context) {
    const std::size_t rows = real.set->rows();
    const auto n = static_cast<double>(rows);
    const auto m = static_cast<double>(syntheticRows);
    const auto synthetic = static_cast<std::size_t>(std::llround(n * m / (n + m)));
    if (synthetic < k || synthetic + k >= rows)
        return {};
    // The k-th neighbour among a few dozen samples says nothing of the k-th among many: good models would miss most.
    const std::size_t left = rows - synthetic;
    if (left < std::min(kFewestTimesK * k, rows / 4))
        return {};
    const bool small = static_cast<double>(synthetic) < kSmallPart * n;
    const std::size_t wanted = std::max(small ? left : kValuesPerRow * rows, kFewestValues);
    const std::size_t splits = std::min((wanted + left - 1) / left, kMostSplits);
    EqualRows groups;
    if (hasZeroDistance(real.neighbors, k))
        groups = groupEqualRows(std::array{real.set->matrix()}, {0, context.threads, context.job.silent()});
    std::vector<double> ratios;
    ratios.reserve(splits * left);
    for (std::size_t s = 0; s < splits; ++s) {
        const ComputeContext part{context.seed, context.threads, context.job.step(s, splits)};
        const Split split = splitRows(rows, synthetic, streamSeed(context.seed, "real split " + std::to_string(s)));
        const EqualCounts equal = equalInParts(groups, split);
        const std::vector<double> toSynthetic =
            distancesToPart({real.set->matrix(), k, true}, real.neighbors, split, search, part.part(0.0, 0.5));
        const std::vector<double> toReal =
            distancesToPart({real.set->matrix(), k, false}, real.neighbors, split, search, part.part(0.5, 1.0));
        const std::vector<double> found = logDensityRatios({toSynthetic, equal.inSynthetic, synthetic},
                                                           {toReal, equal.inReal, left - 1}, real.set->dim());
        ratios.insert(ratios.end(), found.begin(), found.end());
    }
    return ratios;
}

} // namespace assay

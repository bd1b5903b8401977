#include "engine/metrics/verdicts/equal_rows.h"

#include "engine/math/statistics/significance_tests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace assay {
namespace {

/// Other rows equal to each row of a set.
/// @param isOwn whether `counts` are of the row's own set, which contains the row itself
std::vector<std::uint32_t> othersOf(std::span<const std::uint32_t> group, std::span<const std::uint32_t> counts,
                                    bool isOwn) {
    std::vector<std::uint32_t> others(group.size());
    for (std::size_t row = 0; row < others.size(); ++row)
        others[row] = counts[group[row]] - (isOwn ? 1U : 0U);
    return others;
}

std::vector<std::uint32_t> equalWithin(const EmbeddingSet& set, const NeighborSearch& search, const JobContext& job) {
    std::vector<std::uint32_t> centres(set.rows());
    std::iota(centres.begin(), centres.end(), 0U);
    return search.ballsHolding(set.matrix(), centres, std::vector<double>(set.rows(), 0.0), job);
}

/// Per row of each set: equal rows of the other one.
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>
equalBetween(const EmbeddingSet& a, const EmbeddingSet& b, const NeighborSearch& search, const JobContext& job) {
    const std::vector<double> zeros(a.rows(), 0.0);
    PassResult found = search.between({.rows = a.matrix(), .radius = zeros}, {b.matrix()}, job);
    return {std::move(found.a.inside), std::move(found.b.holding)};
}

} // namespace

bool hasZeroDistance(const NeighborTable& table, std::size_t k) {
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (table.distanceAt(row, k - 1) == 0.0)
            return true;
    return false;
}

EqualRowCounts countEqualRows(MatrixView real, MatrixView synthetic, MatrixView heldOut,
                              const ComputeContext& context) {
    const EqualRows equal = groupEqualRows(std::array{real, synthetic, heldOut}, context);
    const std::vector<std::uint32_t> inReal = equal.countsOf(0);
    const std::vector<std::uint32_t> inSynthetic = equal.countsOf(1);
    const auto countsFor = [&](std::size_t set) {
        return EqualCounts{othersOf(equal.group[set], inReal, set == 0),
                           othersOf(equal.group[set], inSynthetic, set == 1)};
    };
    EqualRowCounts counts{countsFor(0), countsFor(1), countsFor(2)};
    counts.ofHeldOut.inOwn = othersOf(equal.group[2], equal.countsOf(2), true);
    return counts;
}

namespace {

constexpr double kSure = 0.001;

/// Rows of a set that equal a real row, and groups of equal rows, each counted once.
struct Equals {
    std::size_t rows = 0;
    std::size_t ofRows = 0;
    double groups = 0.0;
    double ofGroups = 0.0;

    void add(bool isEqual, std::uint32_t othersLikeIt) {
        const double part = 1.0 / (1.0 + static_cast<double>(othersLikeIt));
        ++ofRows;
        ofGroups += part;
        if (isEqual) {
            ++rows;
            groups += part;
        }
    }
};

std::size_t wholeCount(double count) {
    return static_cast<std::size_t>(std::llround(count));
}

/// Whether the first share is surely larger, by rows and by groups.
bool surelyMore(const Equals& first, const Equals& second) {
    return fisherExact(first.rows, first.ofRows, second.rows, second.ofRows, Alternative::Greater) <= kSure &&
           fisherExact(wholeCount(first.groups), wholeCount(first.ofGroups), wholeCount(second.groups),
                       wholeCount(second.ofGroups), Alternative::Greater) <= kSure;
}

} // namespace

EqualToReal testEqualToReal(std::span<const std::uint8_t> isEqual, const EqualRowCounts& equal,
                            const RealPartition& partition, double falseDiscoveryRate) {
    EqualToReal result;
    result.samples = static_cast<std::size_t>(std::ranges::count(isEqual, 1));
    result.real = partition.equalRows;
    result.ofReal = partition.rows.size();
    result.expectedPairs = partition.expectedEqualPairs;
    if (result.samples == 0)
        return result;
    Equals model;
    for (std::size_t row = 0; row < isEqual.size(); ++row)
        model.add(isEqual[row] != 0, equal.ofSynthetic.inSynthetic[row]);
    std::vector<Equals> natural;
    if (!partition.deduplicated()) {
        Equals& real = natural.emplace_back();
        for (std::size_t at = 0; at < partition.rows.size(); ++at) {
            const bool isTwice = partition.equalsAnother[at] != 0;
            real.add(isTwice, isTwice ? equal.ofReal.inReal[partition.rows[at]] : 0);
        }
    }
    if (!equal.ofHeldOut.inReal.empty()) {
        Equals& heldOut = natural.emplace_back();
        for (std::size_t row = 0; row < equal.ofHeldOut.inReal.size(); ++row)
            heldOut.add(equal.ofHeldOut.inReal[row] > 0, equal.ofHeldOut.inOwn[row]);
        result.heldOut = heldOut.rows;
        result.ofHeldOut = heldOut.ofRows;
    }
    result.isUntold = natural.empty();
    if (result.isUntold)
        return result;
    const auto m = static_cast<double>(isEqual.size());
    result.isAccused = std::ranges::all_of(natural, [&](const Equals& one) { return surelyMore(model, one); });
    const bool repeatsItself = std::ranges::any_of(equal.ofSynthetic.inSynthetic, [](auto rows) { return rows > 0; });
    result.isImpossible = !repeatsItself &&
                          std::ranges::all_of(natural, [](const Equals& one) { return one.rows == 0; }) &&
                          result.expectedPairs * 2.0 * m / static_cast<double>(partition.unit.size()) < 0.01;
    double usual = 0.0; // the larger natural share
    for (const Equals& one : natural)
        usual = std::max(usual, (static_cast<double>(one.rows) + 1.0) / (static_cast<double>(one.ofRows) + 1.0));
    result.namesSingles = result.isAccused && m * usual <= falseDiscoveryRate * static_cast<double>(result.samples);
    return result;
}

EqualRowCounts countEqualBySearch(const CountedSets& sets, const NeighborSearch& search, const JobContext& job) {
    EqualRowCounts counts;
    counts.ofReal.inReal = equalWithin(sets.real, search, job);
    counts.ofSynthetic.inSynthetic = equalWithin(sets.synthetic, search, job);
    std::tie(counts.ofReal.inSynthetic, counts.ofSynthetic.inReal) =
        equalBetween(sets.real, sets.synthetic, search, job);
    if (sets.heldOut != nullptr) {
        counts.ofHeldOut.inOwn = equalWithin(*sets.heldOut, search, job);
        counts.ofHeldOut.inReal = equalBetween(sets.real, *sets.heldOut, search, job).second;
        counts.ofHeldOut.inSynthetic = equalBetween(sets.synthetic, *sets.heldOut, search, job).second;
    }
    return counts;
}

EqualRowCounts countEqualSamples(const CountedSets& sets, const NeighborSearch& search, const ComputeContext& context) {
    const bool whole = sets.real.isWhole() && sets.synthetic.isWhole() && (!sets.heldOut || sets.heldOut->isWhole());
    if (!whole)
        return countEqualBySearch(sets, search, context.job);
    return countEqualRows(sets.real.matrix(), sets.synthetic.matrix(),
                          sets.heldOut != nullptr ? sets.heldOut->matrix() : MatrixView{}, context);
}

} // namespace assay

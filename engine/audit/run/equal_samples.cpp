#include "engine/audit/run/equal_samples.h"

#include <numeric>
#include <tuple>
#include <utility>

namespace assay {
namespace {

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

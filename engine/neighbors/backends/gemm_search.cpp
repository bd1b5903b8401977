#include "engine/neighbors/backends/gemm_search.h"

#include <utility>

namespace assay {
namespace {

/// A set whole, as one block of which no neighbours are known.
SearchBlock blockOf(const SideQuery& side) {
    return {.rows = side.rows,
            .radius = {side.radius.begin(), side.radius.end()},
            .innerRadius = {side.innerRadius.begin(), side.innerRadius.end()},
            .found = {.nearest = noNeighbors(side.rows.rows, side.k)}};
}

} // namespace

NeighborTable GemmSearch::within(MatrixView set, std::size_t k, const JobContext& job) const {
    requireNeighbors(set.rows, k);
    SearchBlock block = blockOf({set, k});
    const Frame frame = Frame::of(set, {set}, threads_, job.part({}, 0.0, 0.015));
    const ProductPlan plan = planProducts(block, block, {frame, threads_, lean_, pruning_}, job.part({}, 0.015, 0.04));
    searchWithin(block, plan, threads_, job.part({}, 0.04, 1.0));
    return std::move(block.found.nearest);
}

PassResult GemmSearch::between(const SideQuery& a, const SideQuery& b, const JobContext& job) const {
    requireSides(a, b);
    SearchBlock blockA = blockOf(a);
    SearchBlock blockB = blockOf(b);
    const Frame frame = Frame::of(a.rows, {a.rows, b.rows}, threads_, job.part({}, 0.0, 0.015));
    const ProductPlan plan =
        planProducts(blockA, blockB, {frame, threads_, lean_, pruning_}, job.part({}, 0.015, 0.04));
    searchBetween(blockA, blockB, plan, threads_, job.part({}, 0.04, 1.0));
    return {std::move(blockA.found), std::move(blockB.found)};
}

} // namespace assay

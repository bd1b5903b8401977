#include "engine/neighbors/backends/cpu_backends.h"

#include "engine/neighbors/products/pass_side.h"
#include "engine/neighbors/products/product_trial.h"

#include <algorithm>
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

std::size_t GemmSearch::passBytes(std::size_t rows, std::size_t dim, std::size_t k, bool lean) {
    constexpr std::size_t kRowBytes = 96; // bounds, limits and counters of one row in a pass
    if (lean)
        return rows * (dim + kRowBytes + CandidateLists::shortest(k) * sizeof(Candidate));
    return rows * (dim * sizeof(float) + kRowBytes) + std::max(kListBytes, rows * 3 * k * sizeof(Candidate));
}

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

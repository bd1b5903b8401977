#include "engine/neighbors/backends/gemm_search.h"

#include "engine/neighbors/search/query_check.h"

#include <utility>

namespace assay {
namespace {

/// A set whole, as one block of which no neighbours are known.
SearchBlock blockOf(MatrixView set, std::size_t k) {
    SearchBlock block;
    block.rows = set;
    block.nearest = noNeighbors(set.rows, k);
    return block;
}

} // namespace

NeighborTable GemmSearch::selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const {
    checkSelfQuery(set, k);
    SearchBlock block = blockOf(set, k);
    const Frame frame = Frame::of(set, {set}, threads_, job.part({}, 0.0, 0.015));
    const ProductPlan plan =
        planProducts(block, block, {frame, threads_, lean_, shortcuts_}, job.part({}, 0.015, 0.04));
    searchWithin(block, plan, threads_, job.part({}, 0.04, 1.0));
    return std::move(block.nearest);
}

CrossResult GemmSearch::cross(const CrossQuery& query, const JobContext& job) const {
    checkCrossQuery(query);
    SearchBlock a = blockOf(query.a, query.kAToB);
    SearchBlock b = blockOf(query.b, query.kBToA);
    a.radius.assign(query.radiusA.begin(), query.radiusA.end());
    a.innerRadius.assign(query.innerRadiusA.begin(), query.innerRadiusA.end());
    b.radius.assign(query.radiusB.begin(), query.radiusB.end());
    const Frame frame = Frame::of(query.a, {query.a, query.b}, threads_, job.part({}, 0.0, 0.015));
    const ProductPlan plan = planProducts(a, b, {frame, threads_, lean_, shortcuts_}, job.part({}, 0.015, 0.04));
    searchBetween(a, b, plan, threads_, job.part({}, 0.04, 1.0));
    return takeResult(std::move(a), std::move(b));
}

} // namespace assay

#include "engine/neighbors/products/block_search.h"

#include "engine/neighbors/products/pass_side.h"
#include "engine/neighbors/products/product_trial.h"
#include "engine/neighbors/products/tile_product.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace assay {
namespace {

template <typename T>
std::vector<T> slice(const std::vector<T>& values, std::size_t from, std::size_t count) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// Whether nothing is known yet that could serve as a limit.
bool startsUnknown(const SearchBlock& block) {
    const NeighborTable& nearest = block.found.nearest;
    return nearest.index.empty() || nearest.index[nearest.k - 1] == kNoNeighbor;
}

/// Of blocks that have met others there are few left to list.
std::size_t capacityFor(const SearchBlock& block, std::size_t unknown) {
    return startsUnknown(block) ? unknown : 4 * block.k();
}

/// For tests: dimensions of a projection whether it pays or not.
std::size_t someDims(std::size_t dim) {
    return std::clamp<std::size_t>(dim / 4, 1, 63);
}

/// Adds what a side has learnt of its own rows and of its balls.
void takeBack(SearchBlock& own, SearchBlock& other, PassSide& side) {
    if (own.k() > 0)
        own.found.nearest = side.nearest.takeTable();
    side.balls.addTo(own.found, other.found);
}

} // namespace

SearchBlock SearchBlock::part(std::size_t from, std::size_t count) const {
    SearchBlock part;
    part.first = first + from;
    part.rows = {rows.rowData(from), count, rows.dim};
    const NeighborTable& all = found.nearest;
    part.found.nearest = {k(), slice(all.index, from * k(), count * k()), slice(all.distance, from * k(), count * k())};
    return part;
}

void SearchBlock::update(const SearchBlock& part) {
    const auto at = static_cast<std::ptrdiff_t>((part.first - first) * k());
    std::ranges::copy(part.found.nearest.index, found.nearest.index.begin() + at);
    std::ranges::copy(part.found.nearest.distance, found.nearest.distance.begin() + at);
}

ProductPlan planProducts(const SearchBlock& a, const SearchBlock& b, const PlanOptions& options,
                         const JobContext& job) {
    const std::size_t dim = a.rows.dim;
    const Frame& frame = options.frame;
    prepareProducts(dim);
    const std::size_t kA = a.k();
    const std::size_t kB = b.k();
    ProductPlan plan{frame, Precision::Single, {4 * kA, 4 * kB}, std::nullopt};
    if (options.lean)
        plan.capacity = {0, 0};
    if (!integersPossible(dim))
        return plan;
    plan.precision = Precision::Integer;
    if (options.pruning == Pruning::Always)
        plan.projection = SubspaceProjection::of(a.rows, frame, someDims(dim), job.part({}, 0.0, 0.0));
    if (options.pruning == Pruning::Always || options.lean || std::min(a.rows.rows, b.rows.rows) < kTrialRows)
        return plan;
    const bool self = &a == &b;
    const auto operandOf = [&](const SearchBlock& block) {
        return ProductOperand::of(block.rows, frame, Precision::Integer, options.threads, job.part({}, 0.0, 0.0));
    };
    const ProductOperand x = operandOf(a);
    const std::optional<ProductOperand> other = self ? std::nullopt : std::optional(operandOf(b));
    const ProductOperand& y = self ? x : *other;
    const auto scale = static_cast<double>(frame.scale);
    const SearchSide searchA{a.rows, b.rows, &x, &y, scale, 0};
    const SearchSide searchB{b.rows, a.rows, &y, &x, scale, 0};
    const std::size_t wantedA = kA + (self ? 1 : 0); // a row finds itself
    const ProductTrial trialA = tryProduct(searchA, wantedA, job.part({}, 0.0, 0.5));
    const std::optional<ProductTrial> trialOfB =
        self ? std::nullopt : std::optional(tryProduct(searchB, kB, job.part({}, 0.5, 1.0)));
    const ProductTrial& trialB = self ? trialA : *trialOfB;
    const ProductOperand single = someInSinglePrecision(a.rows, frame, job);
    if (!integersPay(trialA, single) || (!self && !integersPay(trialB, single))) {
        plan.precision = Precision::Single;
        return plan;
    }
    const std::size_t queries = a.rows.rows + (self ? 0 : b.rows.rows);
    plan.capacity = {listCapacity(trialA, kA, queries), listCapacity(trialB, kB, queries)};
    plan.projection = projectionThatPays(trialA, trialB, frame, job);
    return plan;
}

void searchWithin(SearchBlock& block, const ProductPlan& plan, unsigned threads, const JobContext& job) {
    const auto operand = ProductOperand::of(block.rows, plan.frame, plan.precision, threads, job.part({}, 0.0, 0.03));
    std::optional<ProjectedRows> projected;
    std::optional<Shortcut> projection;
    if (plan.projection) {
        projected = plan.projection->project(block.rows, plan.frame, threads, job.part({}, 0.03, 0.05));
        projection = {&projected->operand, &projected->operand, plan.projection->stretch(), 2.0 * projected->slack};
    }
    PassSide side({block.rows, block.rows, &operand, &operand, static_cast<double>(plan.frame.scale),
                   static_cast<std::uint32_t>(block.first)},
                  block.side(), plan.capacity[0], projection);
    side.start(std::move(block.found.nearest));
    if (side.lists.k() < block.rows.rows)
        side.lowerLimitsBySample(true, threads, job.part({}, 0.05, 0.07));
    runTiles(side, side, threads, job.part({}, 0.07, 0.85));
    side.settle(threads, job.part({}, 0.85, 1.0));
    block.found.nearest = side.nearest.takeTable();
}

void searchBetween(SearchBlock& a, SearchBlock& b, const ProductPlan& plan, unsigned threads, const JobContext& job) {
    const auto operandOf = [&](const SearchBlock& block, double begin) {
        return ProductOperand::of(block.rows, plan.frame, plan.precision, threads, job.part({}, begin, begin + 0.01));
    };
    const ProductOperand x = operandOf(a, 0.0);
    const ProductOperand y = operandOf(b, 0.01);
    const auto scale = static_cast<double>(plan.frame.scale);
    const bool primeA = startsUnknown(a);
    const bool primeB = startsUnknown(b);
    std::optional<ProjectedRows> nearA, nearB;
    std::optional<Shortcut> projectionA, projectionB;
    if (plan.projection) {
        nearA = plan.projection->project(a.rows, plan.frame, threads, job.part({}, 0.02, 0.03));
        nearB = plan.projection->project(b.rows, plan.frame, threads, job.part({}, 0.03, 0.04));
        const double slack = nearA->slack + nearB->slack;
        projectionA = {&nearA->operand, &nearB->operand, plan.projection->stretch(), slack};
        projectionB = {&nearB->operand, &nearA->operand, plan.projection->stretch(), slack};
    }
    PassSide sideA({a.rows, b.rows, &x, &y, scale, static_cast<std::uint32_t>(b.first)}, a.side(),
                   capacityFor(a, plan.capacity[0]), projectionA);
    PassSide sideB({b.rows, a.rows, &y, &x, scale, static_cast<std::uint32_t>(a.first)}, b.side(),
                   capacityFor(b, plan.capacity[1]), projectionB);
    if (a.k() > 0)
        sideA.start(std::move(a.found.nearest));
    if (b.k() > 0)
        sideB.start(std::move(b.found.nearest));
    a.found.nearest = {sideA.lists.k(), {}, {}};
    b.found.nearest = {sideB.lists.k(), {}, {}};
    if (primeA && sideA.lists.k() <= b.rows.rows)
        sideA.lowerLimitsBySample(false, threads, job.part({}, 0.04, 0.05));
    if (primeB && sideB.lists.k() <= a.rows.rows)
        sideB.lowerLimitsBySample(false, threads, job.part({}, 0.05, 0.06));
    runTiles(sideA, sideB, threads, job.part({}, 0.06, 0.85));
    sideA.settle(threads, job.part({}, 0.85, 0.92));
    sideB.settle(threads, job.part({}, 0.92, 1.0));
    takeBack(a, b, sideA);
    takeBack(b, a, sideB);
}

} // namespace assay

#include "engine/neighbors/products/block_search.h"

#include "engine/neighbors/products/product_trial.h"
#include "engine/neighbors/products/tile_pass.h"
#include "engine/neighbors/products/tile_product.h"

#include <algorithm>
#include <span>
#include <utility>

namespace assay {
namespace {

template <typename T>
std::vector<T> slice(const std::vector<T>& values, std::size_t from, std::size_t count) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// Adds counts, where there are any.
void add(std::vector<std::uint32_t>& sum, const std::vector<std::uint32_t>& counts) {
    if (counts.empty())
        return;
    sum.resize(counts.size(), 0);
    for (std::size_t i = 0; i < counts.size(); ++i)
        sum[i] += counts[i];
}

/// Whether nothing is known yet that could serve as a limit.
bool startsUnknown(const Block& block) {
    return block.nearest.index.empty() || block.nearest.index[block.nearest.k - 1] == kNoNeighbor;
}

/// Of blocks that have met others there are few left to list.
std::size_t capacityFor(const Block& block, const ProductPlan& plan) {
    return startsUnknown(block) ? plan.capacity : 4 * block.nearest.k;
}

/// What a side has learnt of its own rows and of its balls.
void takeBack(Block& own, Block& other, PassSide& side) {
    if (own.nearest.k > 0)
        own.nearest = side.lists.takeTable();
    add(own.inside, side.balls.inside);
    add(own.insideInner, side.balls.insideInner);
    add(other.holding, side.balls.holding);
    add(other.innerHolding, side.balls.innerHolding);
}

} // namespace

Block Block::part(std::size_t from, std::size_t count) const {
    Block part;
    part.first = first + from;
    part.rows = {rows.rowData(from), count, rows.dim};
    const std::size_t k = nearest.k;
    part.nearest = {k, slice(nearest.index, from * k, count * k), slice(nearest.distance, from * k, count * k)};
    return part;
}

void Block::update(const Block& part) {
    const auto at = static_cast<std::ptrdiff_t>((part.first - first) * nearest.k);
    std::copy(part.nearest.index.begin(), part.nearest.index.end(), nearest.index.begin() + at);
    std::copy(part.nearest.distance.begin(), part.nearest.distance.end(), nearest.distance.begin() + at);
}

ProductPlan planProducts(const Block& queries, const Block& base, Frame frame, unsigned threads,
                         const JobContext& job) {
    prepareProducts(queries.rows.dim);
    const std::size_t k = queries.nearest.k;
    ProductPlan plan{std::move(frame), Precision::Single, 4 * k};
    if (!integersPossible(queries.rows.dim))
        return plan;
    if (k == 0 || std::min(queries.rows.rows, base.rows.rows) < kTrialRows) {
        plan.precision = Precision::Integer;
        return plan;
    }
    const auto operandOf = [&](const Block& block) {
        return ProductOperand::of(block.rows, plan.frame, Precision::Integer, threads, job.part({}, 0.0, 0.0));
    };
    const ProductOperand x = operandOf(queries);
    const ProductOperand y = operandOf(base);
    const SearchSide search{queries.rows, base.rows, &x, &y, static_cast<double>(plan.frame.scale), 0};
    const bool self = &queries == &base;
    const std::size_t wanted = k + (self ? 1 : 0);
    const ProductTrial trial = tryProduct(search, wanted, job);
    const double pairs = static_cast<double>(base.rows.rows) / 2.0;
    if (integersPay(trial, wanted, pairs, base.rows, x, someInSinglePrecision(queries.rows, plan.frame, job))) {
        plan.precision = Precision::Integer;
        plan.capacity = listCapacity(trial, k, queries.rows.rows + (self ? 0 : base.rows.rows));
    }
    return plan;
}

void searchWithin(Block& block, const ProductPlan& plan, unsigned threads, const JobContext& job) {
    const auto operand = ProductOperand::of(block.rows, plan.frame, plan.precision, threads, job.part({}, 0.0, 0.05));
    PassSide side({block.rows, block.rows, &operand, &operand, static_cast<double>(plan.frame.scale),
                   static_cast<std::uint32_t>(block.first)},
                  block.nearest.k, plan.capacity, BallSide{});
    side.start(std::move(block.nearest));
    if (side.lists.k() < block.rows.rows)
        side.prime(true, threads, job.part({}, 0.05, 0.07));
    runTiles(side, side, threads, job.part({}, 0.07, 0.85));
    side.settle(threads, job.part({}, 0.85, 1.0));
    block.nearest = side.lists.takeTable();
}

void searchBetween(Block& a, Block& b, const ProductPlan& plan, unsigned threads, const JobContext& job) {
    const auto operandOf = [&](const Block& block, double begin) {
        return ProductOperand::of(block.rows, plan.frame, plan.precision, threads, job.part({}, begin, begin + 0.02));
    };
    const ProductOperand x = operandOf(a, 0.0);
    const ProductOperand y = operandOf(b, 0.02);
    const auto scale = static_cast<double>(plan.frame.scale);
    const bool primeA = startsUnknown(a);
    const bool primeB = startsUnknown(b);
    PassSide sideA({a.rows, b.rows, &x, &y, scale, static_cast<std::uint32_t>(b.first)}, a.nearest.k,
                   capacityFor(a, plan), {a.rows, b.rows, &x, &y, scale, a.radius, a.innerRadius});
    PassSide sideB({b.rows, a.rows, &y, &x, scale, static_cast<std::uint32_t>(a.first)}, b.nearest.k,
                   capacityFor(b, plan), {b.rows, a.rows, &y, &x, scale, b.radius, b.innerRadius});
    if (a.nearest.k > 0)
        sideA.start(std::move(a.nearest));
    if (b.nearest.k > 0)
        sideB.start(std::move(b.nearest));
    a.nearest = {sideA.lists.k(), {}, {}};
    b.nearest = {sideB.lists.k(), {}, {}};
    if (primeA && sideA.lists.k() <= b.rows.rows)
        sideA.prime(false, threads, job.part({}, 0.04, 0.05));
    if (primeB && sideB.lists.k() <= a.rows.rows)
        sideB.prime(false, threads, job.part({}, 0.05, 0.06));
    runTiles(sideA, sideB, threads, job.part({}, 0.06, 0.85));
    sideA.settle(threads, job.part({}, 0.85, 0.92));
    sideB.settle(threads, job.part({}, 0.92, 1.0));
    takeBack(a, b, sideA);
    takeBack(b, a, sideB);
}

NeighborTable nearestOf(const NeighborTable& x, const NeighborTable& y) {
    NeighborTable both = noNeighbors(x.rows(), x.k);
    const std::size_t k = x.k;
    for (std::size_t q = 0; q < x.rows(); ++q) {
        std::size_t fromX = 0;
        std::size_t fromY = 0;
        for (std::size_t rank = 0; rank < k; ++rank) {
            // Neither runs out: each takes at most one step per rank, and equal entries are taken together.
            const Measured nextX{x.distanceAt(q, fromX), x.indexAt(q, fromX)};
            const Measured nextY{y.distanceAt(q, fromY), y.indexAt(q, fromY)};
            const bool takeX = !(nextY < nextX);
            const bool takeY = !(nextX < nextY);
            const Measured& next = takeX ? nextX : nextY;
            both.distance[q * k + rank] = next.distance;
            both.index[q * k + rank] = next.index;
            fromX += takeX ? 1 : 0;
            fromY += takeY ? 1 : 0;
        }
    }
    return both;
}

} // namespace assay

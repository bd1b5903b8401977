#include "engine/gpu/search/plan.h"

#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/device_buffer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::cuda {
namespace {

/// Most rows of a block, for which the search of two blocks takes well under a tenth of a second.
constexpr std::size_t kMaxBlockRows = 65536;
constexpr std::size_t kFewestBlockRows = 1024;
/// Multiply-adds of the search of two blocks: a few milliseconds on a large card, some tens on a small one.
constexpr double kPairWork = 1e12;
constexpr std::array<std::uint32_t, 4> kCapacities{2048, 1024, 512, 384};
/// Integers have wide bounds: the reaches of many samples spare more candidates than the samples cost.
constexpr std::size_t kFewestSamples = 2048;
constexpr std::size_t kFewestForIntegers = kMaxSamples;
/// Pairs per row of a block for which the bounds of integers do not decide on a ball.
constexpr std::size_t kUndecidedPerRow = 256;

/// Blocks of about the same size, none of more rows than `most`.
std::size_t evenBlockRows(std::size_t rows, std::size_t most) {
    const std::size_t blocks = std::max<std::size_t>(1, (rows + most - 1) / most);
    return wholeTiles((rows + blocks - 1) / blocks);
}

std::uint32_t narrow(std::size_t value) {
    return static_cast<std::uint32_t>(value);
}

/// @param streamed blocks are replaced in device memory during the pass
PassPlan planWith(const PassShape& shape, std::size_t mostRows, std::uint32_t capacity, bool streamed) {
    PassPlan plan;
    plan.capacity = capacity;
    // The pairs of one tile have to fit into the rest of a list.
    plan.measureAbove = capacity < 2 * kTileEdge ? capacity - kTileEdge : capacity / 2;
    const std::size_t largest = std::max(shape.rowsX, shape.rowsY);
    const std::size_t k = std::max(shape.kX, shape.kY);
    // After the sample each row of a block finds about k blockRows / samples candidates in the first other block.
    const auto room = static_cast<double>(capacity - plan.measureAbove);
    const double perRow = 1.5 * static_cast<double>(k) / room; // samples per row of a block
    if (k > 0)
        mostRows =
            std::min(mostRows, std::max(kFewestBlockRows, wholeTiles(static_cast<std::size_t>(kMaxSamples / perRow))));
    plan.blockRows = narrow(evenBlockRows(largest, mostRows));
    const std::size_t fewest = shape.precision == Precision::Integer && !streamed ? kFewestForIntegers : kFewestSamples;
    plan.sampleRows =
        k == 0 ? 0
               : narrow(std::min(largest,
                                 std::clamp<std::size_t>(wholeTiles(static_cast<std::size_t>(perRow * plan.blockRows)),
                                                         fewest, kMaxSamples)));
    const auto blocksOf = [&](std::size_t rows) { return narrow((rows + plan.blockRows - 1) / plan.blockRows); };
    plan.blocksX = blocksOf(shape.rowsX);
    plan.blocksY = blocksOf(shape.rowsY);
    // The two blocks that are searched and the next one, which may be of either set.
    const std::uint32_t slots = shape.self() ? 3 : 2;
    plan.slotsX = streamed ? std::min(slots, plan.blocksX) : plan.blocksX;
    plan.slotsY = streamed ? std::min(slots, plan.blocksY) : plan.blocksY;
    const std::size_t samples = wholeTiles(plan.sampleRows);
    const std::size_t fitting = kMaxProducts / std::max<std::size_t>(1, samples);
    plan.reachRows = narrow(std::clamp<std::size_t>(fitting / kTileEdge * kTileEdge, kTileEdge, plan.blockRows));
    plan.productValues =
        std::max(samples * plan.reachRows, std::min(kMaxProducts, std::size_t{plan.blockRows} * plan.blockRows));
    const bool balls = shape.ballsX || shape.ballsY;
    plan.undecidedCapacity = balls ? narrow(std::max<std::size_t>(std::size_t{kTileEdge} * kTileEdge,
                                                                  std::size_t{plan.blockRows} * kUndecidedPerRow))
                                   : 1;
    plan.bytes = PassMemory::carve(shape, plan, nullptr).bytes;
    return plan;
}

std::size_t usualBlockRows(std::size_t dim) {
    const double edge = std::sqrt(kPairWork / static_cast<double>(paddedColumns(dim)));
    return std::clamp(static_cast<std::size_t>(edge) / kTileEdge * kTileEdge, kFewestBlockRows, kMaxBlockRows);
}

double workOf(const BlockPair& pair, bool self) {
    return self && pair.x == pair.y ? 0.5 : 1.0;
}

} // namespace

bool fitsKernels(const PassShape& shape) noexcept {
    return shape.rowsX > 0 && shape.rowsX <= kMaxRows && shape.rowsY <= kMaxRows && shape.dim > 0 &&
           shape.dim <= (shape.precision == Precision::Integer ? kMaxIntegerColumns : kMaxColumns) &&
           std::max(shape.kX, shape.kY) <= kMaxNeighbors;
}

std::optional<PassPlan> planPass(const PassShape& shape, std::size_t budget, std::uint32_t mostBlockRows) {
    std::size_t usual = usualBlockRows(shape.dim);
    if (mostBlockRows > 0)
        usual = std::min(usual, wholeTiles(mostBlockRows));
    for (const std::uint32_t capacity : kCapacities)
        if (const PassPlan plan = planWith(shape, usual, capacity, false); plan.bytes <= budget)
            return plan;
    for (std::size_t rows = usual; rows >= std::min(usual, kFewestBlockRows); rows /= 2)
        for (const std::uint32_t capacity : kCapacities)
            if (const PassPlan plan = planWith(shape, rows, capacity, true); plan.bytes <= budget)
                return plan;
    return std::nullopt;
}

std::vector<BlockPair> blockPairsOf(const PassPlan& plan) {
    const bool self = plan.blocksY == 0;
    std::vector<BlockPair> pairs;
    for (std::uint32_t x = 0; x < plan.blocksX; ++x) {
        const std::uint32_t first = self ? x : 0;
        const std::uint32_t end = self ? plan.blocksX : plan.blocksY;
        // Alternating direction: each row of pairs begins with the block that the one before ends with.
        for (std::uint32_t i = first; i < end; ++i)
            pairs.push_back({x, x % 2 == 0 ? i : end - 1 - (i - first)});
    }
    return pairs;
}

std::vector<std::vector<BlockPair>> sharesOf(const std::vector<BlockPair>& pairs, std::size_t devices) {
    bool self = true;
    for (const BlockPair& pair : pairs)
        self = self && pair.x <= pair.y;
    double all = 0.0;
    for (const BlockPair& pair : pairs)
        all += workOf(pair, self);
    std::vector<std::vector<BlockPair>> shares(std::max<std::size_t>(1, devices));
    double done = 0.0;
    for (const BlockPair& pair : pairs) {
        const double work = workOf(pair, self);
        const auto share = static_cast<std::size_t>((done + work / 2.0) / all * static_cast<double>(shares.size()));
        shares[std::min(share, shares.size() - 1)].push_back(pair);
        done += work;
    }
    return shares;
}

std::vector<Region> splitRegion(const Region& region, bool onDiagonal, bool halveX, bool halveY) {
    const auto middle = [](std::uint32_t begin, std::uint32_t end) {
        const std::uint32_t tiles = (end - begin + kTileEdge - 1) / kTileEdge;
        return std::min(end, begin + (tiles + 1) / 2 * kTileEdge);
    };
    const std::uint32_t x = halveX || onDiagonal ? middle(region.xBegin, region.xEnd) : region.xEnd;
    const std::uint32_t y = halveY || onDiagonal ? middle(region.yBegin, region.yEnd) : region.yEnd;
    std::vector<Region> parts;
    const auto add = [&](std::uint32_t xBegin, std::uint32_t xEnd, std::uint32_t yBegin, std::uint32_t yEnd) {
        if (xBegin < xEnd && yBegin < yEnd)
            parts.push_back({xBegin, xEnd, yBegin, yEnd});
    };
    add(region.xBegin, x, region.yBegin, y);
    add(region.xBegin, x, y, region.yEnd);
    if (!onDiagonal)
        add(x, region.xEnd, region.yBegin, y);
    add(x, region.xEnd, y, region.yEnd);
    return parts;
}

namespace {

struct SetShape {
    std::size_t rows, k;
    bool balls, inner, othersHaveBalls;
    bool sampled; ///< the other set has lists
    std::size_t slots;
};

RowTermArrays carveTerms(std::size_t rows, Carver& carver) {
    float* step = carver.take<float>(rows);
    float* term = carver.take<float>(rows);
    float* slack = carver.take<float>(rows);
    return {step, term, slack, carver.take<float>(rows)};
}

SetState carveState(const SetShape& set, const PassPlan& plan, Carver& carver) {
    SetState state;
    state.rows = static_cast<std::uint32_t>(set.rows);
    state.terms = carveTerms(set.rows, carver);
    if (set.k > 0) {
        state.k = static_cast<std::uint32_t>(set.k);
        state.capacity = plan.capacity;
        state.measureAbove = plan.measureAbove;
        state.reach = carver.take<float>(set.rows);
        state.count = carver.take<std::uint32_t>(set.rows);
        state.before = carver.take<std::uint32_t>(set.rows);
        state.level = carver.take<std::uint8_t>(set.rows);
        state.list = carver.take<Candidate>(set.rows * plan.capacity);
        state.index = carver.take<std::uint32_t>(set.rows * set.k);
        state.distance = carver.take<double>(set.rows * set.k);
    }
    if (set.balls) {
        state.radius = carver.take<double>(set.rows);
        state.innerRadius = set.inner ? carver.take<double>(set.rows) : nullptr;
        state.ballReach = carver.take<float>(set.rows);
        state.ballSure = carver.take<float>(set.rows);
    }
    if (set.balls || set.othersHaveBalls)
        state.counters = carver.take<std::uint32_t>(set.rows * kCounters);
    return state;
}

SetPlace carvePlace(const SetShape& set, const PassShape& shape, const PassPlan& plan, Carver& carver) {
    const std::size_t rowBytes = paddedColumns(shape.dim) * valueBytes(shape.precision);
    SetPlace place;
    place.rows = carver.take<float>(set.slots * plan.blockRows * shape.dim);
    place.operand = carver.take<std::byte>(set.slots * plan.blockRows * rowBytes);
    if (set.sampled) {
        SampledRows& sample = place.sample;
        sample.count = static_cast<std::uint32_t>(std::min<std::size_t>(plan.sampleRows, set.rows));
        const std::size_t rows = wholeTiles(sample.count);
        place.sampleRows = carver.take<float>(rows * shape.dim);
        sample.operand = carver.take<std::byte>(rows * rowBytes);
        sample.index = carver.take<std::uint32_t>(rows);
        sample.terms = carveTerms(rows, carver);
    }
    if (set.balls || set.othersHaveBalls)
        place.savedCounters = carver.take<std::uint32_t>(set.rows * kCounters);
    return place;
}

} // namespace

PassMemory PassMemory::carve(const PassShape& shape, const PassPlan& plan, std::byte* base) {
    Carver carver(base);
    PassMemory memory;
    const SetShape x{.rows = shape.rowsX,
                     .k = shape.kX,
                     .balls = shape.ballsX,
                     .inner = shape.innerBallsX,
                     .othersHaveBalls = shape.ballsY,
                     .sampled = (shape.self() ? shape.kX : shape.kY) > 0,
                     .slots = plan.slotsX};
    memory.y = memory.x = carveState(x, plan, carver);
    memory.placeY = memory.placeX = carvePlace(x, shape, plan, carver);
    if (!shape.self()) {
        const SetShape y{.rows = shape.rowsY,
                         .k = shape.kY,
                         .balls = shape.ballsY,
                         .inner = false,
                         .othersHaveBalls = shape.ballsX,
                         .sampled = shape.kX > 0,
                         .slots = plan.slotsY};
        memory.y = carveState(y, plan, carver);
        memory.placeY = carvePlace(y, shape, plan, carver);
    }
    memory.centre = carver.take<float>(shape.dim);
    memory.products = carver.take<float>(plan.productValues);
    memory.undecided = carver.take<UndecidedPair>(plan.undecidedCapacity);
    memory.report = carver.take<Report>(1);
    memory.bytes = carver.used();
    return memory;
}

std::optional<std::uint32_t> Slots::find(std::uint32_t block) const {
    const auto found = std::find(block_.begin(), block_.end(), std::optional(block));
    if (found == block_.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(found - block_.begin());
}

Slots::Place Slots::assign(std::uint32_t block, const std::vector<std::uint32_t>& keep) {
    const auto held = [&](std::uint32_t slot) {
        return block_[slot] && std::find(keep.begin(), keep.end(), *block_[slot]) != keep.end();
    };
    std::uint32_t chosen = 0;
    if (block_.size() == known_.size()) {
        chosen = block;
    } else {
        std::optional<std::uint32_t> oldest;
        for (std::uint32_t slot = 0; slot < block_.size(); ++slot)
            if (!held(slot) && (!oldest || lastUse_[slot] < lastUse_[*oldest]))
                oldest = slot;
        chosen = oldest.value_or(0);
    }
    const bool first = !known_[block];
    known_[block] = true;
    block_[chosen] = block;
    use(chosen);
    return {chosen, first};
}

} // namespace assay::cuda

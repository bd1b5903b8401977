// How a pass is cut up: within its memory, every pair exactly once, blocks loaded before they are needed.
#include "engine/gpu/search/plan.h"
#include "tests/cuda/support/check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace assay;
using namespace assay::cuda;
using namespace assay::cuda::test;

namespace {

constexpr unsigned kSeed = 20261120;

PassShape anyShape(std::mt19937& random) {
    const auto rows = [&] {
        return 1 + static_cast<std::size_t>(std::exp2(static_cast<double>(random() % 200) / 10.0));
    };
    PassShape shape;
    shape.rowsX = rows();
    shape.rowsY = random() % 2 == 0 ? 0 : rows();
    shape.dim = 1 + random() % 2000;
    shape.kX = random() % 3 == 0 ? 0 : 1 + random() % 300;
    shape.kY = shape.self() || random() % 3 == 0 ? 0 : 1 + random() % 300;
    shape.ballsX = !shape.self() && random() % 2 == 0;
    shape.innerBallsX = shape.ballsX && random() % 2 == 0;
    shape.ballsY = !shape.self() && random() % 2 == 0;
    shape.precision = random() % 2 == 0 ? Precision::Single : Precision::Integer;
    return shape;
}

void staysWithinMemory() {
    std::mt19937 random(kSeed);
    int streamed = 0;
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        const PassShape shape = anyShape(random);
        const auto budget = static_cast<std::size_t>(std::exp2(20.0 + static_cast<double>(random() % 160) / 10.0));
        const std::string about = "seed " + std::to_string(kSeed) + ", round " + std::to_string(round);
        CHECK_ABOUT(fitsKernels(shape), about);
        const std::optional<PassPlan> plan = planPass(shape, budget);
        if (!plan) {
            ++refused;
            CHECK_ABOUT(!planPass(shape, budget / 2), about);
            continue;
        }
        streamed += plan->resident() ? 0 : 1;
        CHECK_ABOUT(plan->bytes <= budget, about);
        CHECK_ABOUT(plan->bytes == PassMemory::carve(shape, *plan, nullptr).bytes, about);
        CHECK_ABOUT(plan->blockRows % kTileEdge == 0 && plan->reachRows % kTileEdge == 0 && plan->reachRows > 0, about);
        CHECK_ABOUT(std::size_t{plan->blocksX} * plan->blockRows >= shape.rowsX, about);
        CHECK_ABOUT(std::size_t{plan->blocksX - 1} * plan->blockRows < shape.rowsX, about);
        // A list has room for the candidates of one tile, and one tile's undecided pairs fit.
        CHECK_ABOUT(plan->capacity - plan->measureAbove >= kTileEdge, about);
        CHECK_ABOUT(plan->productValues >= std::size_t{kTileEdge} * kTileEdge, about);
        CHECK_ABOUT(plan->productValues >= plan->reachRows * wholeTiles(plan->sampleRows), about);
        CHECK_ABOUT(plan->undecidedCapacity >= kTileEdge * kTileEdge || !(shape.ballsX || shape.ballsY), about);
    }
    CHECK(streamed > 50 && refused > 50);
}

void knowsItsLimits() {
    PassShape shape{1000, 0, 16, 5};
    CHECK(fitsKernels(shape));
    shape.kX = kMaxNeighbors + 1;
    CHECK(!fitsKernels(shape));
    shape = {std::size_t{kMaxRows} + 1, 0, 16, 5};
    CHECK(!fitsKernels(shape));
    shape = {.rowsX = 1000, .dim = kMaxIntegerColumns, .kX = 5};
    CHECK(fitsKernels(shape));
    shape.dim = kMaxIntegerColumns + 1;
    CHECK(!fitsKernels(shape));
    shape.precision = Precision::Single;
    CHECK(fitsKernels(shape));
    shape.dim = (std::size_t{1} << 20) + 1;
    CHECK(!fitsKernels(shape));
}

/// Pieces of memory must not overlap.
void carvesDisjointPieces() {
    const PassShape shape{700, 500, 33, 7, 9, true, true, true};
    const PassPlan plan = *planPass(shape, std::size_t{1} << 30);
    std::vector<std::byte> memory(plan.bytes + 256);
    std::byte* base = memory.data() + (256 - reinterpret_cast<std::uintptr_t>(memory.data()) % 256) % 256;
    const PassMemory carved = PassMemory::carve(shape, plan, base);
    std::map<const void*, std::size_t> pieces;
    const auto add = [&](const auto* piece, std::size_t count) {
        CHECK(piece != nullptr && pieces.emplace(piece, count * sizeof(*piece)).second);
    };
    for (const auto& [state, place] : {std::pair{carved.x, carved.placeX}, std::pair{carved.y, carved.placeY}}) {
        add(state.terms.step, state.rows);
        add(state.terms.term, state.rows);
        add(state.terms.slack, state.rows);
        add(state.terms.residual, state.rows);
        add(state.reach, state.rows);
        add(state.count, state.rows);
        add(state.before, state.rows);
        add(state.level, state.rows);
        add(state.list, std::size_t{state.rows} * state.capacity);
        add(state.index, std::size_t{state.rows} * state.k);
        add(state.distance, std::size_t{state.rows} * state.k);
        add(state.ballReach, state.rows);
        add(state.ballSure, state.rows);
        add(state.counters, std::size_t{state.rows} * kCounters);
        add(place.savedCounters, std::size_t{state.rows} * kCounters);
        add(state.radius, state.rows);
        add(place.rows, std::size_t{plan.blockRows} * shape.dim);
        add(place.operand, std::size_t{plan.blockRows} * 64);
        add(place.sample.operand, std::size_t{place.sample.count} * 64);
    }
    add(carved.x.innerRadius, carved.x.rows);
    add(static_cast<float*>(carved.products), plan.productValues);
    add(carved.undecided, plan.undecidedCapacity);
    const std::byte* end = base;
    for (const auto& [piece, bytes] : pieces) {
        CHECK(static_cast<const std::byte*>(piece) >= end);
        end = static_cast<const std::byte*>(piece) + bytes;
    }
    CHECK(end <= base + plan.bytes);
}

void meetsEveryPairOfBlocksOnce() {
    for (std::uint32_t x = 1; x <= 9; ++x)
        for (std::uint32_t y = 0; y <= 9; ++y) {
            PassPlan plan;
            plan.blocksX = x;
            plan.blocksY = y;
            const std::vector<BlockPair> pieces = blockPairsOf(plan);
            std::set<std::pair<std::uint32_t, std::uint32_t>> met;
            for (const BlockPair& piece : pieces) {
                CHECK(piece.x < x && piece.y < (y == 0 ? x : y) && (y > 0 || piece.x <= piece.y));
                CHECK(met.emplace(piece.x, piece.y).second);
            }
            CHECK(met.size() == (y == 0 ? std::size_t{x} * (x + 1) / 2 : std::size_t{x} * y));
            for (std::size_t p = 1; p < pieces.size(); ++p) {
                const BlockPair& before = pieces[p - 1];
                const BlockPair& now = pieces[p];
                const auto known = [&](std::uint32_t block) { return block == before.x || block == before.y; };
                if (y > 0)
                    CHECK(now.x == before.x || now.y == before.y);
                else
                    CHECK(known(now.x) || known(now.y) || now.x == now.y);
            }
            for (const std::size_t devices : {1, 2, 3, 7}) {
                std::vector<BlockPair> all;
                std::size_t most = 0;
                for (const auto& share : sharesOf(pieces, devices)) {
                    all.insert(all.end(), share.begin(), share.end());
                    most = std::max(most, share.size());
                }
                CHECK(all == pieces);
                // Half pieces on the diagonal make a share of more of them.
                CHECK(most <= 2 * (pieces.size() / devices + 2));
            }
        }
}

/// Uses slots as Pass does: both blocks of a piece and the next one stay.
void keepsBlocksThatAreNeeded() {
    for (const bool self : {true, false})
        for (std::uint32_t blocks = 4; blocks < 12; ++blocks) {
            PassPlan plan;
            plan.blocksX = blocks;
            plan.blocksY = self ? 0 : blocks + 1;
            Slots x(self ? 3 : 2, plan.blocksX);
            Slots y(2, std::max(plan.blocksY, 1U));
            int loads = 0;
            const auto load = [&](Slots& slots, std::uint32_t block, const std::vector<std::uint32_t>& keep) {
                if (const auto slot = slots.find(block)) {
                    slots.use(*slot);
                    return;
                }
                slots.assign(block, keep);
                ++loads;
            };
            const std::vector<BlockPair> pieces = blockPairsOf(plan);
            for (std::size_t p = 0; p < pieces.size(); ++p) {
                const BlockPair& now = pieces[p];
                Slots& other = self ? x : y;
                load(x, now.x, self ? std::vector{now.x, now.y} : std::vector{now.x});
                load(other, now.y, self ? std::vector{now.x, now.y} : std::vector{now.y});
                if (p + 1 < pieces.size()) {
                    const BlockPair& next = pieces[p + 1];
                    const std::vector<std::uint32_t> all{now.x, now.y, next.x, next.y};
                    load(x, next.x, self ? all : std::vector{now.x, next.x});
                    load(other, next.y, self ? all : std::vector{now.y, next.y});
                }
                CHECK(x.find(now.x) && other.find(now.y));
            }
            CHECK(loads <= static_cast<int>(pieces.size()) + 2);
        }
}

void splitsRegionsWithoutLoss() {
    std::mt19937 engine(kSeed);
    const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
    for (int round = 0; round < 200; ++round) {
        const bool diagonal = random() % 2 == 0;
        Region region;
        region.xBegin = kTileEdge * (random() % 4);
        region.xEnd = region.xBegin + 1 + random() % 1500;
        region.yBegin = diagonal ? region.xBegin : kTileEdge * (random() % 4);
        region.yEnd = diagonal ? region.xEnd : region.yBegin + 1 + random() % 1500;
        const bool halveX = random() % 2 == 0;
        const std::vector<Region> parts = splitRegion(region, diagonal, halveX, !halveX || random() % 2 == 0);
        // Corners of a coarse grid stand for all pairs.
        for (std::uint32_t x = region.xBegin; x < region.xEnd; x += 37)
            for (std::uint32_t y = region.yBegin; y < region.yEnd; y += 41) {
                int found = 0;
                for (const Region& part : parts)
                    found += x >= part.xBegin && x < part.xEnd && y >= part.yBegin && y < part.yEnd ? 1 : 0;
                CHECK(found == 1 || (diagonal && x > y && found == 0));
            }
        for (const Region& part : parts) {
            CHECK(part.xBegin % kTileEdge == 0 && part.yBegin % kTileEdge == 0);
            // Two ranges of one block are the same or have nothing in common.
            if (diagonal)
                CHECK((part.xBegin == part.yBegin && part.xEnd == part.yEnd) || part.xEnd <= part.yBegin);
        }
        const bool oneTile = region.xEnd - region.xBegin <= kTileEdge && region.yEnd - region.yBegin <= kTileEdge;
        CHECK(!oneTile || parts.size() == 1);
    }
    const std::vector<Region> parts = splitRegion({0, 1024, 0, 1024}, false, true, true);
    CHECK(parts.size() == 4);
    CHECK(splitRegion({0, 1024, 0, 1024}, true, false, true).size() == 3);
}

void dividesRegionsIntoTiles() {
    std::mt19937 engine(kSeed);
    const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
    for (int round = 0; round < 200; ++round) {
        const bool diagonal = random() % 2 == 0;
        Region region;
        region.xBegin = kTileEdge * (random() % 4);
        region.xEnd = region.xBegin + 1 + random() % 3000;
        region.yBegin = diagonal ? region.xBegin : kTileEdge * (random() % 4);
        region.yEnd = diagonal ? region.xEnd : region.yBegin + 1 + random() % 20000;
        const std::size_t values = std::size_t{kTileEdge} * kTileEdge * (1 + random() % 60) + random() % 1000;
        const std::vector<Region> tiles = tilesOf(region, diagonal, values);
        for (const Region& tile : tiles) {
            CHECK(tile.xBegin % kTileEdge == 0 && tile.yBegin % kTileEdge == 0);
            CHECK(tile.xBegin < tile.xEnd && tile.xEnd <= region.xEnd);
            CHECK(tile.yBegin < tile.yEnd && tile.yEnd <= region.yEnd);
            CHECK(wholeTiles(tile.xEnd - tile.xBegin) * wholeTiles(tile.yEnd - tile.yBegin) <= values);
        }
        for (std::uint32_t x = region.xBegin; x < region.xEnd; x += 37)
            for (std::uint32_t y = region.yBegin; y < region.yEnd; y += 41) {
                const auto holds = [&](const Region& tile) {
                    return x >= tile.xBegin && x < tile.xEnd && y >= tile.yBegin && y < tile.yEnd;
                };
                const auto found = std::count_if(tiles.begin(), tiles.end(), holds);
                CHECK(found == 1 || (diagonal && x >= y && found == 0));
            }
    }
}

} // namespace

int main() {
    run("stays within memory", staysWithinMemory);
    run("knows its limits", knowsItsLimits);
    run("carves disjoint pieces of memory", carvesDisjointPieces);
    run("meets every pair of blocks once", meetsEveryPairOfBlocksOnce);
    run("keeps blocks that are needed", keepsBlocksThatAreNeeded);
    run("splits regions without loss", splitsRegionsWithoutLoss);
    run("divides regions into tiles", dividesRegionsIntoTiles);
    return verdict();
}

#include "engine/neighbors/products/tile_pass.h"

#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/neighbors/products/tile_product.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

namespace assay {
namespace {

/// Edge of the tiles that a block on the diagonal is cut into: half of each such tile is computed in vain.
constexpr std::size_t kDiagonalEdge = 128;

struct Tile {
    std::size_t x; ///< block of the first side
    std::size_t y; ///< block of the second side
};

/// All tiles along diagonals, so that tiles in progress at the same time rarely share a block.
std::vector<Tile> tilesOf(std::size_t blocksX, std::size_t blocksY, bool symmetric) {
    std::vector<Tile> tiles;
    for (std::size_t shift = 0; shift < blocksY; ++shift)
        for (std::size_t x = 0; x < blocksX; ++x) {
            const std::size_t y = symmetric ? x + shift : (x + shift) % blocksY;
            if (y < blocksY)
                tiles.push_back({x, y});
        }
    return tiles;
}

class Pass {
public:
    Pass(PassSide& x, PassSide& y, unsigned threads)
        : x_(x), y_(y), symmetric_(&x == &y), threads_(resolveThreads(threads)), edge_(tileEdge(x.operand().dim())),
          locksX_(blocks(x)), locksY_(symmetric_ ? 0 : blocks(y)), buffers_(threads_) {}

    void run(const JobContext& job) {
        const std::vector<Tile> tiles = tilesOf(blocks(x_), blocks(y_), symmetric_);
        parallelFor(tiles.size(), threads_, job,
                    [&](std::size_t t, unsigned worker) { runTile(tiles[t], buffers_[worker], job); });
    }

private:
    struct Buffers {
        TileProduct product;
        LineVector<float> most, rowMost;
        std::vector<float> estimates[2];
        std::vector<std::uint32_t> columns[2];
        TileHits hits[2];                ///< of the row, and of the columns, in the room above
        std::vector<std::uint32_t> near; ///< columns that the projected rows leave
        std::vector<std::int32_t> whole; ///< their products in all dimensions
    };

    std::size_t blocks(const PassSide& side) const { return (side.operand().rows() + edge_ - 1) / edge_; }
    Range range(const PassSide& side, std::size_t block) const {
        const std::size_t first = block * edge_;
        return {first, std::min(edge_, side.operand().rows() - first)};
    }

    void runTile(const Tile& tile, Buffers& buffers, const JobContext& job) {
        if (symmetric_ && tile.x == tile.y) {
            const std::scoped_lock lock(locksX_[tile.x]);
            runDiagonal(range(x_, tile.x), buffers, job);
            return;
        }
        const Range rows = range(x_, tile.x);
        const Range columns = range(y_, tile.y);
        multiply(rows, columns, buffers);
        const std::scoped_lock lock(locksX_[tile.x], (symmetric_ ? locksX_ : locksY_)[tile.y]);
        select(rows, columns, buffers, job);
    }

    void multiply(const Range& rows, const Range& columns, Buffers& buffers) {
        if (x_.shortcut())
            buffers.product.multiply({x_.shortcut()->own, rows}, {x_.shortcut()->other, columns});
        else
            buffers.product.multiply({&x_.operand(), rows}, {&y_.operand(), columns});
    }

    void runDiagonal(const Range& block, Buffers& buffers, const JobContext& job) {
        const std::size_t end = block.first + block.count;
        for (std::size_t r = block.first; r < end; r += kDiagonalEdge) {
            const Range rows{r, std::min(kDiagonalEdge, end - r)};
            multiply(rows, rows, buffers);
            select(rows, rows, buffers, job);
            const Range columns{r + rows.count, end - r - rows.count};
            if (columns.count == 0)
                continue;
            multiply(rows, columns, buffers);
            select(rows, columns, buffers, job);
        }
    }

    void select(const Range& rows, const Range& columns, Buffers& buffers, const JobContext& job) {
        for (std::size_t side = 0; side < 2; ++side) {
            buffers.estimates[side].resize(edge_ + 16);
            buffers.columns[side].resize(edge_ + 16);
            buffers.hits[side] = {buffers.estimates[side].data(), buffers.columns[side].data(), 0};
        }
        buffers.most.resize(edge_);
        buffers.rowMost.resize(edge_);
        if (x_.shortcut())
            selectThrough(rows, columns, buffers, job);
        else
            selectDirectly(rows, columns, buffers, job);
    }

    void selectDirectly(const Range& rows, const Range& columns, Buffers& buffers, const JobContext& job) {
        const bool integers = x_.operand().precision() == Precision::Integer;
        const TileKernels& kernel = tileKernels();
        const bool diagonal = isDiagonal(rows, columns);
        const float* reach = y_.reach() + columns.first;
        const float* level = diagonal ? nothing() : y_.level() + columns.first;
        // Limits fall while the tile is gone through: what was found of them before holds all the more.
        kernel.findMost({reach, level, columns.count}, x_.operand().extremes(rows.first, rows.count),
                        buffers.most.data());
        kernel.findMost({x_.reach() + rows.first, x_.level() + rows.first, rows.count},
                        y_.operand().extremes(columns.first, columns.count), buffers.rowMost.data());
        const TileColumns terms =
            y_.operand().tileColumns(columns.first, columns.count, reach, level, buffers.most.data());
        for (std::size_t r = 0; r < rows.count; ++r) {
            const std::size_t i = rows.first + r;
            const TileRow row = x_.operand().tileRow(i, x_.reach()[i], x_.level()[i], buffers.rowMost[r]);
            if (integers)
                kernel.selectInteger(buffers.product.integerRow(r), row, terms, buffers.hits[0], buffers.hits[1]);
            else
                kernel.selectSingle(buffers.product.singleRow(r), row, terms, buffers.hits[0], buffers.hits[1]);
            hand(r, rows, columns, buffers.hits, job);
        }
    }

    /// The tile holds products of projected rows: what they do not exclude is multiplied out in all dimensions.
    void selectThrough(const Range& rows, const Range& columns, Buffers& buffers, const JobContext& job) {
        const Shortcut& shortcut = *x_.shortcut();
        const TileKernels& kernel = tileKernels();
        const bool diagonal = isDiagonal(rows, columns);
        const float* level = diagonal ? nothing() : y_.nearLevel() + columns.first;
        kernel.findMost({y_.nearReach() + columns.first, level, columns.count},
                        shortcut.own->extremes(rows.first, rows.count), buffers.most.data());
        kernel.findMost({x_.nearReach() + rows.first, x_.nearLevel() + rows.first, rows.count},
                        shortcut.other->extremes(columns.first, columns.count), buffers.rowMost.data());
        const TileColumns nearTerms =
            shortcut.other->tileColumns(columns.first, columns.count, nullptr, nullptr, buffers.most.data());
        const TileColumns terms = y_.operand().tileColumns(columns.first, columns.count, y_.reach() + columns.first,
                                                           diagonal ? nothing() : y_.level() + columns.first, nullptr);
        buffers.near.resize(edge_ + 16);
        buffers.whole.resize(edge_);
        for (std::size_t r = 0; r < rows.count; ++r) {
            const std::size_t i = rows.first + r;
            const std::size_t count = kernel.selectNear(buffers.product.integerRow(r),
                                                        shortcut.own->tileRow(i, 0.0F, 0.0F, buffers.rowMost[r]),
                                                        nearTerms, buffers.near.data());
            if (count == 0)
                continue;
            kernel.integerProducts(x_.operand().integerRow(i), y_.operand().integerRows(columns.first),
                                   {buffers.near.data(), count}, buffers.whole.data());
            selectAmong(count, x_.operand().tileRow(i, x_.reach()[i], x_.level()[i]), terms, buffers);
            hand(r, rows, columns, buffers.hits, job);
        }
    }

    /// What TileKernels::selectInteger does, of some columns.
    static void selectAmong(std::size_t count, const TileRow& row, const TileColumns& columns, Buffers& buffers) {
        auto& hits = buffers.hits;
        std::size_t number[2] = {0, 0};
        for (std::size_t n = 0; n < count; ++n) { // without branches: which ones are admitted cannot be predicted
            const std::uint32_t j = buffers.near[n];
            const float estimate =
                static_cast<float>(buffers.whole[n]) * (row.factor * columns.step[j]) + (row.term + columns.term[j]);
            const float rowReach = row.reach + columns.residual[j];
            const float columnReach = columns.reach[j] + row.residual;
            const bool forRow = (estimate <= rowReach * rowReach) & (estimate + columns.offset[j] <= row.level);
            const bool forColumn =
                (estimate <= columnReach * columnReach) & (estimate + row.offset <= columns.level[j]);
            hits[0].estimate[number[0]] = estimate;
            hits[0].column[number[0]] = j;
            number[0] += forRow ? 1 : 0;
            hits[1].estimate[number[1]] = estimate;
            hits[1].column[number[1]] = j;
            number[1] += forColumn ? 1 : 0;
        }
        hits[0].count = number[0];
        hits[1].count = number[1];
    }

    bool isDiagonal(const Range& rows, const Range& columns) const { return symmetric_ && rows.first == columns.first; }

    /// Hands the hits of one tile row to both sides.
    void hand(std::size_t r, const Range& rows, const Range& columns, TileHits (&hits)[2], const JobContext& job) {
        auto& [rowHits, columnHits] = hits;
        const std::size_t i = rows.first + r;
        if (isDiagonal(rows, columns))
            removeColumn(rowHits, r);
        if (rowHits.count > 0)
            x_.take(i, rowHits, columns.first, job);
        for (std::size_t h = 0; h < columnHits.count; ++h)
            y_.take(columns.first + columnHits.column[h], i, columnHits.estimate[h], job);
    }

    /// A row is not its own neighbour.
    static void removeColumn(TileHits& hits, std::size_t column) {
        std::size_t kept = 0;
        for (std::size_t h = 0; h < hits.count; ++h) {
            hits.estimate[kept] = hits.estimate[h];
            hits.column[kept] = hits.column[h];
            kept += hits.column[h] == column ? 0 : 1;
        }
        hits.count = kept;
    }

    /// Limits of columns that are served as rows.
    const float* nothing() const {
        static const LineVector<float> never(512, -std::numeric_limits<float>::infinity());
        return never.data();
    }

    PassSide& x_;
    PassSide& y_;
    bool symmetric_;
    unsigned threads_;
    std::size_t edge_;
    std::vector<std::mutex> locksX_;
    std::vector<std::mutex> locksY_;
    std::vector<Buffers> buffers_;
};

} // namespace

void runTiles(PassSide& x, PassSide& y, unsigned threads, const JobContext& job) {
    Pass(x, y, threads).run(job);
}

} // namespace assay

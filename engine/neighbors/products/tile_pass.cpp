#include "engine/neighbors/products/pass_side.h"

#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/neighbors/products/tile_product.h"

#include <algorithm>
#include <mutex>
#include <span>
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
        TileRoom rowRoom, columnRoom;
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
        if (x_.shortcut())
            return selectThrough(rows, columns, buffers, job);
        buffers.product.select(limitsOf(x_, rows), columnLimits(rows, columns),
                               [&](std::size_t r, TileHits& ofRow, TileHits& ofColumns) {
                                   dispatchHits(r, rows, columns, ofRow, ofColumns, job);
                               });
    }

    static TileLimits limitsOf(const PassSide& side, const Range& rows) {
        return {side.reach() + rows.first, side.level() + rows.first};
    }
    /// On the diagonal every pair is a row's.
    TileLimits columnLimits(const Range& rows, const Range& columns) const {
        return isDiagonal(rows, columns) ? TileLimits{} : limitsOf(y_, columns);
    }

    /// The tile holds products of projected rows: what they do not exclude is multiplied out in all dimensions.
    void selectThrough(const Range& rows, const Range& columns, Buffers& buffers, const JobContext& job) {
        const Shortcut& shortcut = *x_.shortcut();
        const TileKernels& kernel = tileKernels();
        const float* level = isDiagonal(rows, columns) ? kAdmitsNone.data() : y_.nearLevel() + columns.first;
        buffers.most.resize(edge_);
        buffers.rowMost.resize(edge_);
        kernel.findMost({y_.nearReach() + columns.first, level, columns.count},
                        shortcut.own->extremes(rows.first, rows.count), buffers.most.data());
        kernel.findMost({x_.nearReach() + rows.first, x_.nearLevel() + rows.first, rows.count},
                        shortcut.other->extremes(columns.first, columns.count), buffers.rowMost.data());
        const TileColumns nearTerms =
            shortcut.other->tileColumns(columns.first, columns.count, nullptr, nullptr, buffers.most.data());
        const TileLimits limits = columnLimits(rows, columns);
        const TileColumns terms =
            y_.operand().tileColumns(columns.first, columns.count, limits.reach, limits.level, nullptr);
        buffers.near.resize(edge_ + 16);
        buffers.whole.resize(edge_);
        TileHits& ofRow = buffers.rowRoom.hits(columns.count);
        TileHits& ofColumns = buffers.columnRoom.hits(columns.count);
        for (std::size_t r = 0; r < rows.count; ++r) {
            const std::size_t i = rows.first + r;
            const std::size_t count = kernel.selectNear(buffers.product.integerRow(r),
                                                        shortcut.own->tileRow(i, 0.0F, 0.0F, buffers.rowMost[r]),
                                                        nearTerms, buffers.near.data());
            if (count == 0)
                continue;
            kernel.integerProducts(x_.operand().integerRow(i), y_.operand().integerRows(columns.first),
                                   {buffers.near.data(), count}, buffers.whole.data());
            selectAmong({buffers.near.data(), count}, buffers.whole,
                        x_.operand().tileRow(i, x_.reach()[i], x_.level()[i]), terms, ofRow, ofColumns);
            dispatchHits(r, rows, columns, ofRow, ofColumns, job);
        }
    }

    /// TileKernels::selectInteger for some columns, whose products are given.
    static void selectAmong(std::span<const std::uint32_t> some, const std::vector<std::int32_t>& products,
                            const TileRow& row, const TileColumns& columns, TileHits& ofRow, TileHits& ofColumns) {
        ofRow.count = 0;
        ofColumns.count = 0;
        for (std::size_t n = 0; n < some.size(); ++n) { // without branches: which ones are admitted is unpredictable
            const std::uint32_t j = some[n];
            const float estimate =
                static_cast<float>(products[n]) * (row.factor * columns.step[j]) + (row.term + columns.term[j]);
            const float rowReach = row.reach + columns.residual[j];
            const float columnReach = columns.reach[j] + row.residual;
            const bool forRow = (estimate <= rowReach * rowReach) & (estimate + columns.offset[j] <= row.level);
            const bool forColumn =
                (estimate <= columnReach * columnReach) & (estimate + row.offset <= columns.level[j]);
            ofRow.estimate[ofRow.count] = estimate;
            ofRow.column[ofRow.count] = j;
            ofRow.count += forRow ? 1 : 0;
            ofColumns.estimate[ofColumns.count] = estimate;
            ofColumns.column[ofColumns.count] = j;
            ofColumns.count += forColumn ? 1 : 0;
        }
    }

    bool isDiagonal(const Range& rows, const Range& columns) const { return symmetric_ && rows.first == columns.first; }

    /// Gives the hits of one tile row to both sides.
    void dispatchHits(std::size_t r, const Range& rows, const Range& columns, TileHits& ofRow,
                      const TileHits& ofColumns, const JobContext& job) {
        const std::size_t i = rows.first + r;
        if (isDiagonal(rows, columns))
            removeColumn(ofRow, r);
        if (ofRow.count > 0)
            x_.take(i, ofRow, columns.first, job);
        for (std::size_t h = 0; h < ofColumns.count; ++h)
            y_.take(columns.first + ofColumns.column[h], i, ofColumns.estimate[h], job);
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

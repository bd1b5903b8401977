#include "engine/knn/tile_pass.h"

#include "engine/job/parallel.h"
#include "engine/knn/tile_product.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace assay {
namespace {

/// Rows of a block, a tile's edge: 384 leaves half of the second-level cache (1 MiB) to the lists beside a tile of
/// products, at the speed of larger ones; for very long rows less, so that a stop request is seen in time.
std::size_t blockRows(std::size_t dim) {
    std::size_t edge = 384;
    while (edge > 16 && edge * edge * dim > std::size_t{384} * 384 * 4096)
        edge /= 2;
    return edge;
}

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
        : x_(x), y_(y), symmetric_(&x == &y), threads_(resolveThreads(threads)), edge_(blockRows(x.operand().dim())),
          locksX_(blocks(x)), locksY_(symmetric_ ? 0 : blocks(y)), buffers_(threads_) {}

    void run(const JobContext& job) {
        const std::vector<Tile> tiles = tilesOf(blocks(x_), blocks(y_), symmetric_);
        parallelFor(tiles.size(), threads_, job,
                    [&](std::size_t t, unsigned worker) { runTile(tiles[t], buffers_[worker], job); });
    }

private:
    struct Buffers {
        TileProduct product;
        std::vector<float> most, rowMost;
        std::vector<float> estimates[2];
        std::vector<std::uint32_t> columns[2];
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
        buffers.product.multiply(x_.operand(), rows, y_.operand(), columns);
        const std::scoped_lock lock(locksX_[tile.x], (symmetric_ ? locksX_ : locksY_)[tile.y]);
        select(rows, columns, buffers, job);
    }

    void runDiagonal(const Range& block, Buffers& buffers, const JobContext& job) {
        const std::size_t end = block.first + block.count;
        for (std::size_t r = block.first; r < end; r += kDiagonalEdge) {
            const Range rows{r, std::min(kDiagonalEdge, end - r)};
            buffers.product.multiply(x_.operand(), rows, y_.operand(), rows);
            select(rows, rows, buffers, job);
            const Range columns{r + rows.count, end - r - rows.count};
            if (columns.count == 0)
                continue;
            buffers.product.multiply(x_.operand(), rows, y_.operand(), columns);
            select(rows, columns, buffers, job);
        }
    }

    void select(const Range& rows, const Range& columns, Buffers& buffers, const JobContext& job) {
        const bool integers = x_.operand().precision() == Precision::Integer;
        const TileKernels& kernel = tileKernels();
        const bool diagonal = symmetric_ && rows.first == columns.first;
        const float* reach = y_.reach() + columns.first;
        const float* level = diagonal ? nothing() : y_.level() + columns.first;
        // Limits fall while the tile is gone through: what was found of them before holds all the more.
        buffers.most.resize(edge_);
        buffers.rowMost.resize(edge_);
        const ProductOperand::Extremes ofRows = x_.operand().extremes(rows.first, rows.count);
        const ProductOperand::Extremes ofColumns = y_.operand().extremes(columns.first, columns.count);
        kernel.findMost(reach, level, columns.count, ofRows.residual, ofRows.offset, buffers.most.data());
        kernel.findMost(x_.reach() + rows.first, x_.level() + rows.first, rows.count, ofColumns.residual,
                        ofColumns.offset, buffers.rowMost.data());
        const TileColumns terms =
            y_.operand().tileColumns(columns.first, columns.count, reach, level, buffers.most.data());
        TileHits hits[2];
        for (std::size_t side = 0; side < 2; ++side) {
            buffers.estimates[side].resize(edge_ + 16);
            buffers.columns[side].resize(edge_ + 16);
            hits[side] = {buffers.estimates[side].data(), buffers.columns[side].data(), 0};
        }
        auto& [rowHits, columnHits] = hits;
        for (std::size_t r = 0; r < rows.count; ++r) {
            const std::size_t i = rows.first + r;
            const TileRow row = x_.operand().tileRow(i, x_.reach()[i], x_.level()[i], buffers.rowMost[r]);
            if (integers)
                kernel.selectInteger(buffers.product.integerRow(r), row, terms, rowHits, columnHits);
            else
                kernel.selectSingle(buffers.product.singleRow(r), row, terms, rowHits, columnHits);
            if (diagonal)
                removeColumn(rowHits, r);
            if (rowHits.count > 0)
                x_.take(i, rowHits, columns.first, job);
            for (std::size_t h = 0; h < columnHits.count; ++h)
                y_.take(columns.first + columnHits.column[h], i, columnHits.estimate[h], job);
        }
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
        static const std::vector<float> never(512, -std::numeric_limits<float>::infinity());
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

PassSide::PassSide(const SearchSide& search, std::size_t k, std::size_t capacity, const BallSide& ballSide)
    : lists(search, k, capacity), balls(ballSide), operand_(search.queryOperand), other_(search.baseOperand),
      reach_(operand_->rows()), level_(operand_->rows()), ballGate_(balls.any() ? operand_->rows() : 0) {
    for (std::size_t row = 0; row < ballGate_.size(); ++row)
        ballGate_[row] = Gate::of(balls.limit(row), operand_->bounds(row));
    if (balls.any() && k > 0)
        lists.decideBalls(balls);
    for (std::size_t row = 0; row < reach_.size(); ++row)
        refresh(row);
}

void PassSide::start(NeighborTable known) {
    lists.start(std::move(known));
    for (std::size_t row = 0; row < reach_.size(); ++row)
        settleWhoDecides(row);
}

void PassSide::refresh(std::size_t row) {
    const Gate list = lists.gate(row);
    reach_[row] = list.reach;
    level_[row] = list.level;
    if (!ballAtOnce(row))
        return;
    reach_[row] = std::max(list.reach, ballGate_[row].reach);
    level_[row] = std::max(list.level, ballGate_[row].level);
}

void PassSide::settleWhoDecides(std::size_t row) {
    // More neighbours within the ball than the list is for: keeping them all would overflow it again and again.
    if (balls.any() && lists.limit(row) < balls.limit(row))
        lists.leaveBall(row);
    refresh(row);
}

void PassSide::takeBoth(std::size_t row, std::size_t other, float estimate, const JobContext& job) {
    const RowBounds& bounds = other_->bounds(other);
    if (ballGate_[row].admits(estimate, bounds))
        balls.visit(row, other, estimate);
    if (lists.k() > 0 && lists.gate(row).admits(estimate, bounds) &&
        lists.add(row, estimate, static_cast<std::uint32_t>(other), job))
        refresh(row);
}

void PassSide::take(std::size_t row, const TileHits& hits, std::size_t first, const JobContext& job) {
    if (ballAtOnce(row)) {
        for (std::size_t h = 0; h < hits.count; ++h)
            takeBoth(row, first + hits.column[h], hits.estimate[h], job);
        return;
    }
    if (lists.add(row, hits, first, job))
        refresh(row);
}

void PassSide::prime(bool self, unsigned threads, const JobContext& job) {
    // Enough to exclude nine tenths of a large set, little beside it.
    const std::size_t sampleRows = std::clamp<std::size_t>(other_->rows() / 32, 256, 512);
    const std::size_t rank = lists.k() + (self ? 1 : 0);
    if (lists.k() == 0 || rank > sampleRows || other_->rows() < 8 * sampleRows)
        return;
    const ProductOperand sample = other_->sampled(sampleRows);
    const std::size_t edge = blockRows(operand_->dim());
    parallelFor((operand_->rows() + edge - 1) / edge, threads, job, [&](std::size_t t, unsigned) {
        const Range rows{t * edge, std::min(edge, operand_->rows() - t * edge)};
        TileProduct product;
        product.multiply(*operand_, rows, sample, {0, sampleRows});
        std::vector<float> estimates(sampleRows);
        for (std::size_t r = 0; r < rows.count; ++r) {
            product.estimates(*operand_, rows, sample, {0, sampleRows}, r, estimates.data());
            lists.prime(rows.first + r, estimates, sample, rank);
            settleWhoDecides(rows.first + r);
        }
    });
}

namespace {

/// Bytes of stored rows that the last-level cache surely has room for beside everything else.
std::size_t cachedBytes() {
    constexpr std::size_t kLeast = std::size_t{4} << 20;
    constexpr std::size_t kMost = std::size_t{12} << 20;
    const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return std::clamp(cache > 0 ? static_cast<std::size_t>(cache) / 2 : 0, kLeast, kMost);
}

} // namespace

void PassSide::settle(unsigned threads, const JobContext& job) {
    const std::size_t queries = lists.k() == 0 ? 0 : lists.queries();
    // Runs work(query) for all queries; @return the sum of what it returns
    const auto forQueries = [&](const JobContext& part, const auto& work) {
        constexpr std::size_t kQueriesPerTask = 64;
        std::atomic<std::size_t> sum = 0;
        parallelFor((queries + kQueriesPerTask - 1) / kQueriesPerTask, threads, part, [&](std::size_t t, unsigned) {
            const std::size_t last = std::min(queries, (t + 1) * kQueriesPerTask);
            std::size_t found = 0;
            for (std::size_t q = t * kQueriesPerTask; q < last; ++q) {
                lists.prefetch(std::min(q + 1, last - 1));
                found += work(q);
            }
            sum += found;
        });
        return sum.load();
    };
    const std::size_t rows = other_->rows();
    const std::size_t partRows = std::max<std::size_t>(1, cachedBytes() / sizeof(float) / operand_->dim());
    const std::size_t parts = (rows + partRows - 1) / partRows;
    if (parts <= 1) {
        forQueries(job, [&](std::size_t q) { return lists.settle(q, job); });
        return;
    }
    // Every part costs a sweep over the queries: worth it while each finds a few rows to measure in it.
    constexpr std::size_t kRowsPerPart = 4;
    const auto inParts = [&](std::size_t chosen, const JobContext& part) {
        const std::size_t sweeps = chosen >= kRowsPerPart * parts * queries ? parts : 1;
        for (std::size_t p = 0; p < sweeps; ++p) {
            const auto share = [&](std::size_t done) {
                return static_cast<double>(done) / static_cast<double>(sweeps);
            };
            const std::size_t end = p + 1 < sweeps ? (p + 1) * partRows : rows;
            forQueries(part.part({}, share(p), share(p + 1)), [&](std::size_t q) {
                lists.measureChosen(q, end, job);
                return std::size_t{0};
            });
        }
    };
    inParts(forQueries(job.part({}, 0.0, 0.1), [&](std::size_t q) { return lists.chooseLowest(q); }),
            job.part({}, 0.1, 0.7));
    inParts(forQueries(job.part({}, 0.7, 0.75), [&](std::size_t q) { return lists.chooseDoubtful(q); }),
            job.part({}, 0.75, 1.0));
}

void runTiles(PassSide& x, PassSide& y, unsigned threads, const JobContext& job) {
    Pass(x, y, threads).run(job);
}

} // namespace assay

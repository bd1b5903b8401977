#include "engine/knn/tile_pass.h"

#include "engine/job/error.h"
#include "engine/job/parallel.h"

#include <dnnl.h>
#include <omp.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <new>
#include <string>

namespace assay {
namespace {

/// Our own workers share out the tiles, so the library must not start threads of its own below them.
class OneOpenMpThread {
public:
    OneOpenMpThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
    ~OneOpenMpThread() { omp_set_num_threads(before_); }
    OneOpenMpThread(const OneOpenMpThread&) = delete;
    OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

private:
    int before_;
};

/// Rows of a block, a tile's edge: 512 keeps a tile of products (1 MiB) in the second-level cache at nine tenths of the
/// large product's speed; for very long rows less, so that a stop request is seen in time.
std::size_t blockRows(std::size_t dim) {
    std::size_t edge = 512;
    while (edge > 16 && edge * edge * dim > std::size_t{512} * 512 * 2048)
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

void requireSuccess(dnnl_status_t status) {
    if (status == dnnl_out_of_memory)
        throw std::bad_alloc();
    if (status != dnnl_success)
        throw Error(ErrorKind::InvalidArgument,
                    "the matrix product failed: expected oneDNN status 0, found " + std::to_string(status));
}

/// Rows [first, first + count) of a side.
struct Range {
    std::size_t first;
    std::size_t count;
};

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
        std::vector<float> single;
        std::vector<std::int32_t> integers;
        std::vector<float> estimates[2];
        std::vector<std::uint32_t> columns[2];
    };

    std::size_t blocks(const PassSide& side) const { return (side.operand().rows() + edge_ - 1) / edge_; }
    Range range(const PassSide& side, std::size_t block) const {
        const std::size_t first = block * edge_;
        return {first, std::min(edge_, side.operand().rows() - first)};
    }
    bool integers() const { return x_.operand().precision() == Precision::Integer; }

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

    void multiply(const Range& rows, const Range& columns, Buffers& buffers) const {
        const OneOpenMpThread alone;
        const ProductOperand& x = x_.operand();
        const ProductOperand& y = y_.operand();
        const auto m = static_cast<dnnl_dim_t>(rows.count);
        const auto n = static_cast<dnnl_dim_t>(columns.count);
        const auto dim = static_cast<dnnl_dim_t>(x.dim());
        if (integers()) {
            const std::int32_t noOffset = 0;
            buffers.integers.resize(edge_ * edge_);
            requireSuccess(dnnl_gemm_s8s8s32('N', 'T', 'F', m, n, dim, 1.0F, x.integerRow(rows.first), dim, 0,
                                             y.integerRow(columns.first), dim, 0, 0.0F, buffers.integers.data(), n,
                                             &noOffset));
        } else {
            buffers.single.resize(edge_ * edge_);
            requireSuccess(dnnl_sgemm('N', 'T', m, n, dim, 1.0F, x.singleRow(rows.first), dim,
                                      y.singleRow(columns.first), dim, 0.0F, buffers.single.data(), n));
        }
    }

    void select(const Range& rows, const Range& columns, Buffers& buffers, const JobContext& job) {
        if (integers())
            select(buffers.integers.data(), tileKernels().selectInteger, rows, columns, buffers, job);
        else
            select(buffers.single.data(), tileKernels().selectSingle, rows, columns, buffers, job);
    }

    template <typename Product, typename Kernel>
    void select(const Product* products, Kernel kernel, const Range& rows, const Range& columns, Buffers& buffers,
                const JobContext& job) {
        const bool diagonal = symmetric_ && rows.first == columns.first;
        const TileColumns terms = y_.operand().tileColumns(columns.first, columns.count, y_.reach() + columns.first,
                                                           diagonal ? nothing() : y_.level() + columns.first);
        TileHits hits[2];
        for (std::size_t side = 0; side < 2; ++side) {
            buffers.estimates[side].resize(edge_ + 16);
            buffers.columns[side].resize(edge_ + 16);
            hits[side] = {buffers.estimates[side].data(), buffers.columns[side].data(), 0};
        }
        auto& [rowHits, columnHits] = hits;
        for (std::size_t r = 0; r < rows.count; ++r) {
            const std::size_t i = rows.first + r;
            kernel(products + r * columns.count, x_.operand().tileRow(i, x_.reach()[i], x_.level()[i]), terms, rowHits,
                   columnHits);
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

PassSide::PassSide(const SearchSide& search, std::size_t k, const BallSide& ballSide)
    : lists(search, k), balls(ballSide), operand_(search.queryOperand), other_(search.baseOperand),
      reach_(operand_->rows()), level_(operand_->rows()), listGate_(balls.any() ? operand_->rows() : 0),
      ballGate_(balls.any() ? operand_->rows() : 0) {
    for (std::size_t row = 0; row < ballGate_.size(); ++row)
        ballGate_[row] = Gate::of(balls.limit(row), operand_->bounds(row));
    for (std::size_t row = 0; row < reach_.size(); ++row)
        refresh(row);
}

void PassSide::refresh(std::size_t row) {
    const Gate list = lists.gate(row);
    reach_[row] = list.reach;
    level_[row] = list.level;
    if (!balls.any())
        return;
    listGate_[row] = list;
    reach_[row] = std::max(list.reach, ballGate_[row].reach);
    level_[row] = std::max(list.level, ballGate_[row].level);
}

void PassSide::takeBoth(std::size_t row, std::size_t other, float estimate, const JobContext& job) {
    const RowBounds& bounds = other_->bounds(other);
    if (ballGate_[row].admits(estimate, bounds))
        balls.visit(row, other, estimate);
    if (listGate_[row].admits(estimate, bounds) && lists.add(row, estimate, static_cast<std::uint32_t>(other), job))
        refresh(row);
}

void PassSide::take(std::size_t row, const TileHits& hits, std::size_t first, const JobContext& job) {
    if (balls.any()) {
        for (std::size_t h = 0; h < hits.count; ++h)
            takeBoth(row, first + hits.column[h], hits.estimate[h], job);
        return;
    }
    if (lists.add(row, hits, first, job))
        refresh(row);
}

void PassSide::settle(unsigned threads, const JobContext& job) {
    constexpr std::size_t kQueriesPerTask = 64;
    const std::size_t queries = lists.k() == 0 ? 0 : lists.queries();
    parallelFor((queries + kQueriesPerTask - 1) / kQueriesPerTask, threads, job, [&](std::size_t t, unsigned) {
        const std::size_t last = std::min(queries, (t + 1) * kQueriesPerTask);
        for (std::size_t q = t * kQueriesPerTask; q < last; ++q)
            lists.settle(q, job);
    });
}

void runTiles(PassSide& x, PassSide& y, unsigned threads, const JobContext& job) {
    Pass(x, y, threads).run(job);
}

} // namespace assay

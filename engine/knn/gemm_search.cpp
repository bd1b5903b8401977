#include "engine/knn/gemm_search.h"

#include "engine/job/error.h"
#include "engine/job/parallel.h"
#include "engine/knn/ball_counter.h"
#include "engine/knn/candidates.h"
#include "engine/knn/kernels.h"
#include "engine/knn/product_bounds.h"
#include "engine/knn/query_check.h"

#include <dnnl.h>
#include <omp.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

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

/// Rows of a tile's edge: 512 keeps a tile of products (1 MiB) in the second-level cache at nine tenths of the large
/// product's speed; for very long rows less, so that a stop request is seen in time.
std::size_t tileEdge(std::size_t dim) {
    std::size_t edge = 512;
    while (edge > 16 && edge * edge * dim > std::size_t{512} * 512 * 2048)
        edge /= 2;
    return edge;
}

/// One set's half of a pass: its neighbours in the other set and its balls.
class PassSide {
public:
    PassSide(const ProductOperand& rows, const SearchSide& search, std::size_t k, const BallSide& ballSide)
        : operand(rows), lists(search, k), balls(ballSide), limit_(rows.rows) {
        for (std::size_t row = 0; row < operand.rows; ++row)
            refresh(row);
    }

    const float* limits() const noexcept { return limit_.data(); }

    /// Takes in the pair (row of this set, row of the other set).
    void take(std::size_t row, std::size_t other, float low) {
        if (low <= lists.limit(row) && lists.add(row, low, static_cast<std::uint32_t>(other)))
            refresh(row);
        if (low <= balls.limit(row))
            balls.visit(row, other, low);
    }

    const ProductOperand& operand;
    CandidateLists lists;
    BallCounter balls;

private:
    void refresh(std::size_t row) { limit_[row] = std::max(lists.limit(row), balls.limit(row)); }

    std::vector<float> limit_;
};

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

/// Runs all tiles of a pass. With `y` the same object as `x` each tile above the diagonal serves both its rows and
/// columns.
class Pass {
public:
    Pass(PassSide& x, PassSide& y, unsigned threads)
        : x_(x), y_(y), symmetric_(&x == &y), threads_(resolveThreads(threads)), edge_(tileEdge(x.operand.dim)),
          locksX_(blocks(x)), locksY_(symmetric_ ? 0 : blocks(y)), buffers_(threads_),
          nothing_(edge_, -std::numeric_limits<float>::infinity()) {}

    void run(const JobContext& job) {
        const std::vector<Tile> tiles = tilesOf(blocks(x_), blocks(y_), symmetric_);
        parallelFor(tiles.size(), threads_, job,
                    [&](std::size_t t, unsigned worker) { runTile(tiles[t], buffers_[worker], job); });
    }

private:
    struct Buffers {
        std::vector<float> product;
        std::vector<std::uint32_t> hits;
    };

    std::size_t blocks(const PassSide& side) const { return (side.operand.rows + edge_ - 1) / edge_; }

    void runTile(const Tile& tile, Buffers& buffers, const JobContext& job) {
        const std::size_t firstX = tile.x * edge_;
        const std::size_t firstY = tile.y * edge_;
        const std::size_t rows = std::min(edge_, x_.operand.rows - firstX);
        const std::size_t columns = std::min(edge_, y_.operand.rows - firstY);
        buffers.product.resize(edge_ * edge_);
        buffers.hits.resize(edge_);
        multiply(firstX, rows, firstY, columns, buffers.product.data());

        if (symmetric_ && tile.x == tile.y) {
            const std::scoped_lock lock(locksX_[tile.x]);
            select(firstX, rows, firstY, columns, buffers, job);
        } else {
            const std::scoped_lock lock(locksX_[tile.x], (symmetric_ ? locksX_ : locksY_)[tile.y]);
            select(firstX, rows, firstY, columns, buffers, job);
        }
    }

    void multiply(std::size_t firstX, std::size_t rows, std::size_t firstY, std::size_t columns, float* product) const {
        const OneOpenMpThread alone;
        const auto dim = static_cast<dnnl_dim_t>(x_.operand.dim);
        const dnnl_status_t status =
            dnnl_sgemm('N', 'T', static_cast<dnnl_dim_t>(rows), static_cast<dnnl_dim_t>(columns), dim, -2.0F,
                       x_.operand.rowData(firstX), dim, y_.operand.rowData(firstY), dim, 0.0F, product,
                       static_cast<dnnl_dim_t>(columns));
        if (status == dnnl_out_of_memory)
            throw std::bad_alloc();
        if (status != dnnl_success)
            throw Error(ErrorKind::InvalidArgument,
                        "the matrix product failed: expected oneDNN status 0, found " + std::to_string(status));
    }

    void select(std::size_t firstX, std::size_t rows, std::size_t firstY, std::size_t columns, Buffers& buffers,
                const JobContext& job) {
        const bool diagonal = symmetric_ && firstX == firstY;
        const Kernels& kernel = kernels();
        const float* columnTerm = y_.operand.lowTerm.data() + firstY;
        const float* columnLimit = diagonal ? nothing_.data() : y_.limits() + firstY;
        for (std::size_t r = 0; r < rows; ++r) {
            const std::size_t i = firstX + r;
            const float* product = buffers.product.data() + r * columns;
            const float rowTerm = x_.operand.lowTerm[i];
            const std::size_t count = kernel.collectBelow(product, columns, rowTerm, columnTerm, x_.limits()[i],
                                                          columnLimit, buffers.hits.data());
            if (count > 0)
                job.throwIfStopped(); // where everything ties, every hit may have to be measured
            for (std::size_t h = 0; h < count; ++h) {
                const std::size_t c = buffers.hits[h];
                const std::size_t j = firstY + c;
                const float low = (product[c] + columnTerm[c]) + rowTerm;
                if (diagonal) {
                    if (i != j)
                        x_.take(i, j, low);
                } else {
                    x_.take(i, j, low);
                    y_.take(j, i, low);
                }
            }
        }
    }

    PassSide& x_;
    PassSide& y_;
    bool symmetric_;
    unsigned threads_;
    std::size_t edge_;
    std::vector<std::mutex> locksX_;
    std::vector<std::mutex> locksY_;
    std::vector<Buffers> buffers_;
    std::vector<float> nothing_;
};

NeighborTable finish(CandidateLists& lists, std::size_t rows, unsigned threads, const JobContext& job) {
    constexpr std::size_t kQueriesPerTask = 64;
    NeighborTable table;
    table.k = lists.k();
    if (table.k == 0)
        return table;
    table.index.resize(rows * table.k);
    table.distance.resize(rows * table.k);
    parallelFor((rows + kQueriesPerTask - 1) / kQueriesPerTask, threads, job, [&](std::size_t t, unsigned) {
        const std::size_t last = std::min(rows, (t + 1) * kQueriesPerTask);
        for (std::size_t q = t * kQueriesPerTask; q < last; ++q)
            lists.finish(q, table);
    });
    return table;
}

/// The bounds need d * 2^-24 well below 1.
void checkDimension(std::size_t dim) {
    constexpr std::size_t kMost = std::size_t{1} << 22;
    if (dim > kMost)
        throw Error(ErrorKind::InvalidArgument,
                    "expected at most " + std::to_string(kMost) + " columns, found " + std::to_string(dim));
}

/// A lower precision chosen through the library's environment would break the bounds.
void insistOnSinglePrecision() {
    dnnl_set_default_fpmath_mode(dnnl_fpmath_mode_strict);
}

} // namespace

NeighborTable GemmSearch::selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const {
    checkSelfQuery(set, k);
    checkDimension(set.dim);
    insistOnSinglePrecision();
    const Frame frame = Frame::of(set, {set}, threads_, job.part("preparing", 0.0, 0.02));
    const ProductOperand operand = ProductOperand::of(set, frame, threads_, job.part("preparing", 0.02, 0.05));
    const SearchSide search{set, set, operand.slack, operand.slack, frame.scale};
    PassSide side(operand, search, k, BallSide{});
    Pass(side, side, threads_).run(job.part("proposing neighbours", 0.05, 0.85));
    return finish(side.lists, set.rows, threads_, job.part("measuring neighbours", 0.85, 1.0));
}

CrossResult GemmSearch::cross(const CrossQuery& query, const JobContext& job) const {
    checkCrossQuery(query);
    checkDimension(query.a.dim);
    insistOnSinglePrecision();
    const Frame frame = Frame::of(query.a, {query.a, query.b}, threads_, job.part("preparing", 0.0, 0.02));
    const ProductOperand a = ProductOperand::of(query.a, frame, threads_, job.part("preparing", 0.02, 0.04));
    const ProductOperand b = ProductOperand::of(query.b, frame, threads_, job.part("preparing", 0.04, 0.06));
    PassSide sideA(a, {query.a, query.b, a.slack, b.slack, frame.scale}, query.kAToB,
                   {query.a, query.b, a.slack, b.slack, frame.scale, query.radiusA, query.innerRadiusA});
    PassSide sideB(b, {query.b, query.a, b.slack, a.slack, frame.scale}, query.kBToA,
                   {query.b, query.a, b.slack, a.slack, frame.scale, query.radiusB, {}});
    Pass(sideA, sideB, threads_).run(job.part("proposing neighbours", 0.06, 0.85));

    CrossResult result;
    result.aToB = finish(sideA.lists, query.a.rows, threads_, job.part("measuring neighbours", 0.85, 0.92));
    result.bToA = finish(sideB.lists, query.b.rows, threads_, job.part("measuring neighbours", 0.92, 1.0));
    result.insideBallA = std::move(sideA.balls.inside);
    result.insideInnerBallA = std::move(sideA.balls.insideInner);
    result.ballsAHolding = std::move(sideA.balls.holding);
    result.innerBallsAHolding = std::move(sideA.balls.innerHolding);
    result.insideBallB = std::move(sideB.balls.inside);
    result.ballsBHolding = std::move(sideB.balls.holding);
    return result;
}

} // namespace assay

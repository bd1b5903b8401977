#include "engine/neighbors/pairs/product_scan.h"

#include "engine/base/parallel.h"
#include "engine/neighbors/products/tile_product.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kEdge = ProductScan::kTileColumns;
/// Rows at a time: bounds what is kept of them.
constexpr std::size_t kRowsAtOnce = 8192;
/// Columns at a time: few at first, because they may close most of the rows.
constexpr std::size_t kFirstColumns = 2 * kEdge;
constexpr std::size_t kMoreColumns = 10 * kEdge;

constexpr float kNothing = -std::numeric_limits<float>::infinity();

/// Rows of one task, by their places, and their operand.
struct Chunk {
    std::vector<std::size_t> rows;
    std::optional<ProductOperand> operand;
};

/// Columns of which all chunks make their products, from a place on.
struct Slab {
    std::size_t first;
    ProductOperand operand;
};

/// A worker's tile of products and the hits of one of its rows.
struct Buffers {
    TileProduct product;
    std::vector<float> limit = std::vector<float>(kEdge);
    std::vector<float> never = std::vector<float>(kEdge + 16, kNothing);
    std::vector<float> estimate = std::vector<float>(kEdge + 16);
    std::vector<std::uint32_t> column = std::vector<std::uint32_t>(kEdge + 16);
    std::vector<float> otherEstimate = std::vector<float>(kEdge + 16);
    std::vector<std::uint32_t> otherColumn = std::vector<std::uint32_t>(kEdge + 16);
};

class Scanner {
public:
    Scanner(const ProductScan& scan, PairHandler& handler, unsigned threads)
        : scan_(scan), handler_(handler), scale_(static_cast<double>(scan.frame.scale)),
          threads_(resolveThreads(threads)), buffers_(threads_) {}

    void run(const JobContext& job) {
        const std::size_t rows = scan_.rows.query.size();
        for (std::size_t first = 0; first < rows; first += kRowsAtOnce) {
            const std::size_t last = std::min(rows, first + kRowsAtOnce);
            const auto share = [&](std::size_t done) { return static_cast<double>(done) / static_cast<double>(rows); };
            scanRows({first, last - first}, job.part({}, share(first), share(last)));
        }
    }

private:
    void scanRows(const Range& rows, const JobContext& job) {
        std::vector<Chunk> chunks = chunksOf(rows, job.part({}, 0.0, 0.0));
        const std::size_t columns = scan_.rows.baseRow.size();
        for (std::size_t from = 0; from < columns && !chunks.empty();) {
            const double done = static_cast<double>(from) / static_cast<double>(columns);
            const std::size_t count = std::min(from == 0 ? kFirstColumns : kMoreColumns, columns - from);
            const Slab slab{from, ProductOperand::of({scan_.rows.base, scan_.rows.baseRow.subspan(from, count)},
                                                     scan_.frame, scan_.precision, threads_, job.part({}, done, done))};
            from += count;
            parallelFor(chunks.size(), threads_,
                        job.part({}, done, static_cast<double>(from) / static_cast<double>(columns)),
                        [&](std::size_t c, unsigned worker) { scanSlab(chunks[c], slab, worker, job); });
            std::erase_if(chunks, [](const Chunk& chunk) { return chunk.rows.empty(); });
        }
    }

    std::vector<Chunk> chunksOf(const Range& range, const JobContext& job) {
        const std::size_t tasks = std::size_t{2} * threads_;
        const std::size_t rows = std::clamp<std::size_t>((range.count + tasks - 1) / tasks, 16, kEdge);
        std::vector<Chunk> chunks((range.count + rows - 1) / rows);
        parallelFor(chunks.size(), threads_, job, [&](std::size_t c, unsigned) {
            for (std::size_t r = c * rows; r < std::min(range.count, (c + 1) * rows); ++r)
                chunks[c].rows.push_back(range.first + r);
            prepare(chunks[c]);
        });
        return chunks;
    }

    void prepare(Chunk& chunk) const {
        std::vector<std::uint32_t> rows;
        for (const std::size_t place : chunk.rows)
            rows.push_back(scan_.rows.query[place]);
        // On a worker's thread, which reports nothing; some hundred rows need no look at the stop token.
        chunk.operand = ProductOperand::of({scan_.rows.queries, rows}, scan_.frame, scan_.precision, 1, {});
    }

    /// Drops closed rows as soon as a smaller product is worth preparing the others again.
    void dropClosed(Chunk& chunk, std::size_t firstColumn) const {
        std::vector<std::size_t> open;
        for (const std::size_t row : chunk.rows)
            if (handler_.farthest(row, {firstColumn, scan_.rows.baseRow.size()}) >= 0.0)
                open.push_back(row);
        if (open.empty() || 4 * open.size() <= 3 * chunk.rows.size()) {
            chunk.rows = std::move(open);
            if (!chunk.rows.empty())
                prepare(chunk);
        }
    }

    void scanSlab(Chunk& chunk, const Slab& slab, unsigned worker, const JobContext& job) {
        Buffers& buffers = buffers_[worker];
        for (std::size_t column = 0; column < slab.operand.rows(); column += kEdge) {
            job.throwIfStopped();
            dropClosed(chunk, slab.first + column);
            if (chunk.rows.empty())
                return;
            const Range columns{column, std::min(kEdge, slab.operand.rows() - column)};
            bool any = false;
            for (std::size_t r = 0; r < chunk.rows.size(); ++r) {
                buffers.limit[r] = limit(chunk.rows[r], slab.first + column, columns.count);
                any = any || buffers.limit[r] > kNothing;
            }
            if (!any)
                continue;
            buffers.product.multiply({&*chunk.operand, {0, chunk.rows.size()}}, {&slab.operand, columns});
            const Tile tile{chunk, slab, columns, worker};
            for (std::size_t r = 0; r < chunk.rows.size(); ++r)
                if (buffers.limit[r] > kNothing)
                    select(tile, r, job);
        }
    }

    /// On scaled squared distances; minus infinity where none of the columns matters.
    float limit(std::size_t row, std::size_t firstColumn, std::size_t columns) const {
        const double farthest = handler_.farthest(row, {firstColumn, firstColumn + columns}) * scale_;
        return farthest < 0.0 ? kNothing : roundUp(farthest * farthest);
    }

    /// Rows of a chunk by columns of a slab, on one worker.
    struct Tile {
        const Chunk& chunk;
        const Slab& slab;
        Range columns;
        unsigned worker;
    };

    void select(const Tile& tile, std::size_t r, const JobContext& job) {
        const auto& [chunk, slab, columns, worker] = tile;
        Buffers& buffers = buffers_[worker];
        const RowBounds& bounds = chunk.operand->bounds(r);
        const PruningLimit limit = PruningLimit::of(buffers.limit[r], bounds);
        const TileRow row = chunk.operand->tileRow(r, limit.reach, limit.level, limit.most(slab.operand));
        const float* never = buffers.never.data();
        const TileColumns terms = slab.operand.tileColumns(columns.first, columns.count, never, never, never);
        TileHits hits{buffers.estimate.data(), buffers.column.data(), 0};
        TileHits none{buffers.otherEstimate.data(), buffers.otherColumn.data(), 0};
        if (scan_.precision == Precision::Integer)
            tileKernels().selectInteger(buffers.product.integerRow(r), row, terms, hits, none);
        else
            tileKernels().selectSingle(buffers.product.singleRow(r), row, terms, hits, none);
        if (hits.count == 0)
            return;
        for (std::size_t h = 0; h < hits.count; ++h)
            hits.column[h] += static_cast<std::uint32_t>(slab.first + columns.first);
        handler_.take({.query = chunk.rows[r],
                       .place = {hits.column, hits.count},
                       .worker = worker,
                       .estimate = {hits.estimate, hits.count},
                       .unit = 1.0 / (scale_ * scale_),
                       .row = &bounds,
                       .columns = &slab.operand,
                       .firstPlace = slab.first},
                      job);
    }

    const ProductScan& scan_;
    PairHandler& handler_;
    double scale_;
    unsigned threads_;
    std::vector<Buffers> buffers_;
};

} // namespace

void scanByProducts(const ProductScan& scan, PairHandler& handler, unsigned threads, const JobContext& job) {
    Scanner(scan, handler, threads).run(job);
}

} // namespace assay

#include "engine/neighbors/pairs/pair_visitor.h"

#include "engine/base/parallel.h"
#include "engine/neighbors/products/candidates.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/products/product_trial.h"
#include "engine/neighbors/products/tile_product.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace assay {
namespace {

/// Edge of a tile, as in a pass.
constexpr std::size_t kEdge = 384;
/// Queries at a time: bounds what is kept of them.
constexpr std::size_t kQueriesAtOnce = 8192;
/// Rows of the base at a time: few at first, because they may answer most of the queries.
constexpr std::size_t kFirstRows = 2 * kEdge;
constexpr std::size_t kMoreRows = 10 * kEdge;
/// Integers serve while what they may be off by is this share of the reach.
constexpr double kIntegerShare = 0.05;

constexpr float kNothing = -std::numeric_limits<float>::infinity();

/// Queries of one task and what their products are made of.
struct Chunk {
    std::vector<std::size_t> queries;
    std::optional<ProductOperand> operand;
};

/// Rows of the base that are looked at together.
struct Slab {
    std::size_t first;
    ProductOperand operand;
};

/// Least and most weight of some rows.
struct WeightRange {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void add(double weight) {
        least = std::min(least, weight);
        most = std::max(most, weight);
    }
    void add(const WeightRange& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
};

/// What a worker fills tile after tile.
struct Buffers {
    TileProduct product;
    std::vector<float> limit = std::vector<float>(kEdge);
    std::vector<float> never = std::vector<float>(kEdge + 16, kNothing);
    std::vector<float> estimate = std::vector<float>(kEdge + 16);
    std::vector<std::uint32_t> column = std::vector<std::uint32_t>(kEdge + 16);
    std::vector<float> otherEstimate = std::vector<float>(kEdge + 16);
    std::vector<std::uint32_t> otherColumn = std::vector<std::uint32_t>(kEdge + 16);
};

class ProductPursuit {
public:
    ProductPursuit(PairVisitor& visitor, const PairSets& sets, unsigned threads, const JobContext& job)
        : visitor_(visitor), sets_(sets), threads_(resolveThreads(threads)),
          frame_(Frame::of(sets.base, {sets.base, sets.queries}, threads, job)),
          scale_(static_cast<double>(frame_.scale)), buffers_(threads_) {
        const std::size_t rows = sets.baseRow.size();
        block_.resize((rows + kEdge - 1) / kEdge);
        for (std::size_t b = 0; b < rows; ++b)
            block_[b / kEdge].add(weight(b));
        rest_ = block_;
        for (std::size_t b = rest_.size() - 1; b-- > 0;)
            rest_[b].add(rest_[b + 1]);
    }

    void run(const JobContext& job) {
        const std::size_t queries = sets_.queryRow.size();
        precision_ = integersPossible(sets_.base.dim) && integersServe() ? Precision::Integer : Precision::Single;
        for (std::size_t first = 0; first < queries; first += kQueriesAtOnce) {
            const std::size_t last = std::min(queries, first + kQueriesAtOnce);
            const auto share = [&](std::size_t done) {
                return static_cast<double>(done) / static_cast<double>(queries);
            };
            serve(first, last, job.part({}, share(first), share(last)));
        }
    }

private:
    double weight(std::size_t place) const { return sets_.weight.empty() ? 0.0 : sets_.weight[place]; }

    /// Tries some rows of either set.
    bool integersServe() const {
        constexpr std::size_t kSome = 64;
        const auto residual = [&](MatrixView set, const std::vector<std::uint32_t>& rows) {
            std::vector<std::uint32_t> some;
            for (std::size_t r = 0; r < std::min(kSome, rows.size()); ++r)
                some.push_back(rows[r * rows.size() / std::min(kSome, rows.size())]);
            return static_cast<double>(
                ProductOperand::of(set, some, frame_, Precision::Integer, 1, {}).largestResidual());
        };
        double reach = 0.0;
        std::size_t counted = 0;
        for (std::size_t s = 0; s < std::min(kSome, sets_.queryRow.size()); ++s) {
            const std::size_t query = s * sets_.queryRow.size() / std::min(kSome, sets_.queryRow.size());
            const double own = visitor_.reach(query, rest_.front().least, rest_.front().most);
            reach += std::isfinite(own) && own > 0.0 ? own : 0.0;
            counted += std::isfinite(own) ? 1 : 0;
        }
        if (counted == 0)
            return true;
        return residual(sets_.queries, sets_.queryRow) + residual(sets_.base, sets_.baseRow) <=
               kIntegerShare * scale_ * reach / static_cast<double>(counted);
    }

    void serve(std::size_t first, std::size_t last, const JobContext& job) {
        std::vector<Chunk> chunks = chunksOf(first, last, job.part({}, 0.0, 0.0));
        const std::size_t rows = sets_.baseRow.size();
        for (std::size_t from = 0; from < rows && !chunks.empty();) {
            const double done = static_cast<double>(from) / static_cast<double>(rows);
            const std::size_t count = std::min(from == 0 ? kFirstRows : kMoreRows, rows - from);
            const Slab slab{from, ProductOperand::of(sets_.base, std::span(sets_.baseRow).subspan(from, count), frame_,
                                                     precision_, threads_, job.part({}, done, done))};
            from += count;
            parallelFor(chunks.size(), threads_,
                        job.part({}, done, static_cast<double>(from) / static_cast<double>(rows)),
                        [&](std::size_t c, unsigned worker) { lookAt(chunks[c], slab, buffers_[worker], job); });
            std::erase_if(chunks, [](const Chunk& chunk) { return chunk.queries.empty(); });
        }
    }

    std::vector<Chunk> chunksOf(std::size_t first, std::size_t last, const JobContext& job) {
        const std::size_t tasks = std::size_t{2} * threads_;
        const std::size_t perWorker = (last - first + tasks - 1) / tasks;
        const std::size_t rows = std::clamp<std::size_t>(perWorker, 16, kEdge);
        std::vector<Chunk> chunks((last - first + rows - 1) / rows);
        parallelFor(chunks.size(), threads_, job, [&](std::size_t c, unsigned) {
            for (std::size_t q = first + c * rows; q < std::min(last, first + (c + 1) * rows); ++q)
                chunks[c].queries.push_back(q);
            prepare(chunks[c]);
        });
        return chunks;
    }

    void prepare(Chunk& chunk) const {
        std::vector<std::uint32_t> rows;
        for (const std::size_t query : chunk.queries)
            rows.push_back(sets_.queryRow[query]);
        // On a worker's thread, which reports nothing; some hundred rows need no look at the stop token.
        chunk.operand = ProductOperand::of(sets_.queries, rows, frame_, precision_, 1, {});
    }

    /// Lets go of the queries that nothing from this block on matters to, once they are worth a smaller product.
    void release(Chunk& chunk, const WeightRange& rest) const {
        std::vector<std::size_t> open;
        for (const std::size_t query : chunk.queries)
            if (visitor_.reach(query, rest.least, rest.most) >= 0.0)
                open.push_back(query);
        if (open.empty() || 4 * open.size() <= 3 * chunk.queries.size()) {
            chunk.queries = std::move(open);
            if (!chunk.queries.empty())
                prepare(chunk);
        }
    }

    void lookAt(Chunk& chunk, const Slab& slab, Buffers& buffers, const JobContext& job) {
        for (std::size_t column = 0; column < slab.operand.rows(); column += kEdge) {
            job.throwIfStopped();
            const std::size_t block = (slab.first + column) / kEdge;
            release(chunk, rest_[block]);
            if (chunk.queries.empty())
                return;
            if (!setLimits(chunk, block_[block], buffers))
                continue;
            const Range rows{0, chunk.queries.size()};
            const Range columns{column, std::min(kEdge, slab.operand.rows() - column)};
            buffers.product.multiply(*chunk.operand, rows, slab.operand, columns);
            for (std::size_t r = 0; r < rows.count; ++r)
                if (buffers.limit[r] > kNothing)
                    select(chunk, r, slab, columns, buffers, job);
        }
    }

    /// @return whether the block matters to any of the queries
    bool setLimits(const Chunk& chunk, const WeightRange& weights, Buffers& buffers) const {
        bool any = false;
        for (std::size_t r = 0; r < chunk.queries.size(); ++r) {
            const double reach = visitor_.reach(chunk.queries[r], weights.least, weights.most);
            buffers.limit[r] = reach < 0.0 ? kNothing : roundUp(reach * scale_ * reach * scale_);
            any = any || reach >= 0.0;
        }
        return any;
    }

    void select(const Chunk& chunk, std::size_t r, const Slab& slab, const Range& columns, Buffers& buffers,
                const JobContext& job) {
        const Gate gate = Gate::of(buffers.limit[r], chunk.operand->bounds(r));
        const TileRow row = chunk.operand->tileRow(r, gate.reach, gate.level, gate.most(slab.operand));
        const float* never = buffers.never.data();
        const TileColumns terms = slab.operand.tileColumns(columns.first, columns.count, never, never, never);
        TileHits hits{buffers.estimate.data(), buffers.column.data(), 0};
        TileHits none{buffers.otherEstimate.data(), buffers.otherColumn.data(), 0};
        if (precision_ == Precision::Integer)
            tileKernels().selectInteger(buffers.product.integerRow(r), row, terms, hits, none);
        else
            tileKernels().selectSingle(buffers.product.singleRow(r), row, terms, hits, none);
        measure(chunk, r, slab, columns, hits, job);
    }

    void measure(const Chunk& chunk, std::size_t r, const Slab& slab, const Range& columns, const TileHits& hits,
                 const JobContext& job) {
        const std::size_t query = chunk.queries[r];
        for (std::size_t h = 0; h < hits.count; ++h) {
            const std::size_t column = columns.first + hits.column[h];
            const std::size_t place = slab.first + column;
            const double reach = visitor_.reach(query, weight(place), weight(place));
            if (reach < 0.0)
                continue;
            const double low =
                PairBounds::of(chunk.operand->bounds(r), slab.operand.bounds(column), hits.estimate[h]).low;
            if (low <= static_cast<double>(roundUp(reach * scale_ * reach * scale_)))
                visit(query, place, job);
        }
    }

    void visit(std::size_t query, std::size_t place, const JobContext& job) {
        const std::uint32_t row = sets_.baseRow[place];
        if (visitor_.isKnown(query, row))
            return;
        job.throwIfStopped();
        visitor_.visit(query, row, weight(place),
                       directDistance(sets_.queries, sets_.queryRow[query], sets_.base, row));
    }

    PairVisitor& visitor_;
    const PairSets& sets_;
    unsigned threads_;
    Frame frame_;
    double scale_;
    Precision precision_ = Precision::Single;
    std::vector<WeightRange> block_; ///< weights of each kEdge rows of the base
    std::vector<WeightRange> rest_;  ///< the same from there to the end
    std::vector<Buffers> buffers_;
};

} // namespace

void visitByProducts(PairVisitor& visitor, const PairSets& sets, unsigned threads, const JobContext& job) {
    if (sets.queryRow.empty() || sets.baseRow.empty())
        return;
    prepareProducts(sets.base.dim);
    ProductPursuit(visitor, sets, threads, job.part({}, 0.0, 0.0)).run(job);
}

} // namespace assay

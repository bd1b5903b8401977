#include "engine/neighbors/pairs/pair_scans.h"

#include "engine/base/parallel.h"
#include "engine/neighbors/products/tile_product.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kEdge = ProductScan::kTileColumns;
/// Columns of the first step: few, because they may close most of the rows.
constexpr std::size_t kFirstColumns = 2 * kEdge;

/// Base rows from a place on, as columns of products.
struct Step {
    std::size_t first;
    ProductOperand operand;
};

/// Some queries, by their places, as rows of products.
struct QueryRows {
    std::vector<std::size_t> place;
    std::optional<ProductOperand> operand;
};

/// Steps that both scans share: ask the handler for limits, drop rows that nothing can matter to any more, and hand
/// over what products leave.
class Scanner {
protected:
    Scanner(const ProductScan& scan, PairHandler& handler, unsigned threads)
        : scan_(scan), handler_(handler), scale_(static_cast<double>(scan.frame.scale)),
          threads_(resolveThreads(threads)) {}

    std::size_t queries() const { return scan_.rows.query.size(); }
    std::size_t columns() const { return scan_.rows.baseRow.size(); }

    /// Calls work(queries, part of the job) for all queries, so many at a time: that bounds what is kept of them.
    template <typename Work>
    void forQueries(std::size_t atOnce, const JobContext& job, const Work& work) const {
        const auto share = [&](std::size_t done) { return static_cast<double>(done) / static_cast<double>(queries()); };
        for (std::size_t first = 0; first < queries(); first += atOnce) {
            const std::size_t last = std::min(queries(), first + atOnce);
            work(Range{first, last - first}, job.part({}, share(first), share(last)));
        }
    }

    void prepare(QueryRows& rows, unsigned threads, const JobContext& job) const {
        std::vector<std::uint32_t> numbers;
        numbers.reserve(rows.place.size());
        for (const std::size_t place : rows.place)
            numbers.push_back(scan_.rows.query[place]);
        rows.operand = ProductOperand::of({scan_.rows.queries, numbers}, scan_.frame, scan_.precision, threads, job);
    }

    Step stepFrom(std::size_t first, std::size_t count, const JobContext& job) const {
        return {first, ProductOperand::of({scan_.rows.base, scan_.rows.baseRow.subspan(first, count)}, scan_.frame,
                                          scan_.precision, threads_, job)};
    }

    /// Drops rows that no column from `firstColumn` on matters to, as soon as at most this share of the rows stays:
    /// then a smaller product is worth preparing them again.
    void dropClosed(QueryRows& rows, std::size_t firstColumn, double worth, unsigned threads,
                    const JobContext& job) const {
        std::vector<std::size_t> open;
        for (const std::size_t row : rows.place)
            if (handler_.farthest(row, {firstColumn, columns()}) >= 0.0)
                open.push_back(row);
        if (static_cast<double>(open.size()) > worth * static_cast<double>(rows.place.size()))
            return;
        rows.place = std::move(open);
        if (!rows.place.empty())
            prepare(rows, threads, job);
    }

    /// The limit of row r of some queries among these columns; one that admits nothing where none of them matters.
    PruningLimit limit(const QueryRows& rows, std::size_t r, const PlaceRange& range) const {
        const double farthest = handler_.farthest(rows.place[r], range) * scale_;
        return PruningLimit::of(farthest < 0.0 ? kAdmitsNone[0] : roundUp(farthest * farthest),
                                rows.operand->bounds(r));
    }

    void propose(const QueryRows& rows, std::size_t r, std::span<const std::uint32_t> places,
                 std::span<const float> estimates, const Step& step, unsigned worker, const JobContext& job) const {
        handler_.take({.query = rows.place[r],
                       .place = places,
                       .worker = worker,
                       .estimate = estimates,
                       .unit = 1.0 / (scale_ * scale_),
                       .row = &rows.operand->bounds(r),
                       .columns = &step.operand,
                       .firstPlace = step.first},
                      job);
    }

    const ProductScan& scan_;
    PairHandler& handler_;
    double scale_;
    unsigned threads_;
};

/// Queries are cut into chunks, one task each, which all go through the columns of a step.
class CpuScanner : Scanner {
public:
    CpuScanner(const ProductScan& scan, PairHandler& handler, unsigned threads)
        : Scanner(scan, handler, threads), buffers_(threads_) {}

    void run(const JobContext& job) {
        constexpr std::size_t kRowsAtOnce = 8192;
        forQueries(kRowsAtOnce, job, [&](const Range& rows, const JobContext& part) { scanRows(rows, part); });
    }

private:
    /// A worker's tile of products and the limits of its rows.
    struct Buffers {
        TileProduct product;
        LineVector<float> reach = LineVector<float>(kEdge);
        LineVector<float> level = LineVector<float>(kEdge);
    };

    void scanRows(const Range& rows, const JobContext& job) {
        constexpr std::size_t kMoreColumns = 10 * kEdge;
        std::vector<QueryRows> chunks = chunksOf(rows, job.part({}, 0.0, 0.0));
        for (std::size_t from = 0; from < columns() && !chunks.empty();) {
            const double done = static_cast<double>(from) / static_cast<double>(columns());
            const std::size_t count = std::min(from == 0 ? kFirstColumns : kMoreColumns, columns() - from);
            const Step step = stepFrom(from, count, job.part({}, done, done));
            from += count;
            parallelFor(chunks.size(), threads_,
                        job.part({}, done, static_cast<double>(from) / static_cast<double>(columns())),
                        [&](std::size_t c, unsigned worker) { scanStep(chunks[c], step, worker, job); });
            std::erase_if(chunks, [](const QueryRows& chunk) { return chunk.place.empty(); });
        }
    }

    std::vector<QueryRows> chunksOf(const Range& range, const JobContext& job) {
        const std::size_t tasks = std::size_t{2} * threads_;
        const std::size_t rows = std::clamp<std::size_t>((range.count + tasks - 1) / tasks, 16, kEdge);
        std::vector<QueryRows> chunks((range.count + rows - 1) / rows);
        parallelFor(chunks.size(), threads_, job, [&](std::size_t c, unsigned) {
            for (std::size_t r = c * rows; r < std::min(range.count, (c + 1) * rows); ++r)
                chunks[c].place.push_back(range.first + r);
            // On a worker's thread, which reports nothing; some hundred rows need no look at the stop token.
            prepare(chunks[c], 1, {});
        });
        return chunks;
    }

    void scanStep(QueryRows& chunk, const Step& step, unsigned worker, const JobContext& job) {
        constexpr double kWorth = 0.75;
        auto& [product, reach, level] = buffers_[worker];
        for (std::size_t column = 0; column < step.operand.rows(); column += kEdge) {
            job.throwIfStopped();
            const std::size_t first = step.first + column;
            dropClosed(chunk, first, kWorth, 1, {});
            if (chunk.place.empty())
                return;
            const Range range{column, std::min(kEdge, step.operand.rows() - column)};
            bool any = false;
            for (std::size_t r = 0; r < chunk.place.size(); ++r) {
                const PruningLimit own = limit(chunk, r, {first, first + range.count});
                reach[r] = own.reach;
                level[r] = own.level;
                any = any || own.level > kAdmitsNone[0];
            }
            if (!any)
                continue;
            product.multiply({&*chunk.operand, {0, chunk.place.size()}}, {&step.operand, range});
            product.select({reach.data(), level.data()}, {}, [&](std::size_t r, TileHits& hits, const TileHits&) {
                if (hits.count == 0)
                    return;
                for (std::size_t h = 0; h < hits.count; ++h)
                    hits.column[h] += static_cast<std::uint32_t>(first);
                propose(chunk, r, {hits.column, hits.count}, {hits.estimate, hits.count}, step, worker, job);
            });
        }
    }

    std::vector<Buffers> buffers_;
};

/// All open queries at a time, because an accelerator is fast on many.
class AcceleratedScanner : Scanner {
public:
    static constexpr std::size_t kRowsAtOnce = 131072;
    static constexpr std::size_t kMaxColumns = 8 * kEdge;

    AcceleratedScanner(const ProductScan& scan, PairTiles& tiles, PairHandler& handler, unsigned threads)
        : Scanner(scan, handler, threads), tiles_(tiles), buffers_(threads_) {}

    void run(const JobContext& job) {
        forQueries(kRowsAtOnce, job, [&](const Range& rows, const JobContext& part) {
            open_.place.clear();
            for (std::size_t r = 0; r < rows.count; ++r)
                open_.place.push_back(rows.first + r);
            scanRows(part);
        });
    }

private:
    static constexpr std::size_t kTaskRows = 64;

    /// A worker's pairs of one row.
    struct Buffers {
        std::vector<std::uint32_t> place;
        std::vector<float> estimate;
    };

    void scanRows(const JobContext& job) {
        constexpr double kWorth = 0.5;
        const JobContext quiet = job.part({}, 0.0, 0.0);
        prepare(open_, threads_, quiet);
        tiles_.setRows(*open_.operand);
        std::size_t width = kFirstColumns;
        for (std::size_t from = 0; from < columns(); width = kMaxColumns) {
            const std::size_t before = open_.place.size();
            dropClosed(open_, from, kWorth, threads_, quiet);
            if (open_.place.empty())
                return;
            if (open_.place.size() < before)
                tiles_.setRows(*open_.operand);
            const std::size_t count = std::min(width, columns() - from);
            const Step step = stepFrom(from, count, quiet);
            tiles_.setColumns(step.operand);
            findLimits({from, from + count}, quiet);
            tiles_.select(
                limits_, [&](std::span<const PairHit> hits) { take(hits, step, job); }, job);
            from += count;
            job.checkpoint(static_cast<double>(from) / static_cast<double>(columns()));
        }
    }

    void findLimits(const PlaceRange& range, const JobContext& job) {
        limits_.resize(open_.place.size());
        parallelRanges(limits_.size(), kTaskRows, threads_, job, [&](std::size_t first, std::size_t last, unsigned) {
            for (std::size_t r = first; r < last; ++r)
                limits_[r] = limit(open_, r, range);
        });
    }

    void take(std::span<const PairHit> hits, const Step& step, const JobContext& job) {
        // By rows; the end of each row's hits becomes the beginning of the next one's.
        const std::size_t rows = open_.place.size();
        std::vector<std::size_t> end(rows + 1, 0);
        for (const PairHit& hit : hits)
            ++end[hit.row + 1];
        for (std::size_t r = 0; r < rows; ++r)
            end[r + 1] += end[r];
        std::vector<PairHit> sorted(hits.size());
        for (const PairHit& hit : hits)
            sorted[end[hit.row]++] = hit;
        parallelRanges(rows, kTaskRows, threads_, job.part({}, 0.0, 0.0),
                       [&](std::size_t first, std::size_t last, unsigned worker) {
                           for (std::size_t r = first; r < last; ++r) {
                               const std::size_t begin = r == 0 ? 0 : end[r - 1];
                               dispatchHits(r, std::span(sorted).subspan(begin, end[r] - begin), step, worker, job);
                           }
                       });
    }

    void dispatchHits(std::size_t r, std::span<PairHit> hits, const Step& step, unsigned worker,
                      const JobContext& job) {
        if (hits.empty())
            return;
        std::ranges::sort(hits, {}, &PairHit::column);
        auto& [place, estimate] = buffers_[worker];
        place.clear();
        estimate.clear();
        for (const PairHit& hit : hits) {
            place.push_back(static_cast<std::uint32_t>(step.first + hit.column));
            estimate.push_back(hit.estimate);
        }
        propose(open_, r, place, estimate, step, worker, job);
    }

    PairTiles& tiles_;
    std::vector<Buffers> buffers_;
    QueryRows open_;                   ///< the rows that are multiplied
    std::vector<PruningLimit> limits_; ///< of each of them
};

} // namespace

void scanByProducts(const ProductScan& scan, PairHandler& handler, unsigned threads, const JobContext& job) {
    CpuScanner(scan, handler, threads).run(job);
}

bool scanByAccelerator(const ProductScan& scan, const PairAccelerator& accelerator, PairHandler& handler,
                       unsigned threads, const JobContext& job) {
    const auto tiles =
        accelerator.pairTiles({.rows = std::min(AcceleratedScanner::kRowsAtOnce, scan.rows.query.size()),
                               .columns = std::min(AcceleratedScanner::kMaxColumns, scan.rows.baseRow.size()),
                               .dim = scan.rows.base.dim});
    if (!tiles)
        return false;
    AcceleratedScanner(scan, *tiles, handler, threads).run(job);
    return true;
}

} // namespace assay

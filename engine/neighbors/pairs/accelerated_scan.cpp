#include "engine/neighbors/pairs/accelerated_scan.h"

#include "engine/base/parallel.h"
#include "engine/neighbors/pairs/product_scan.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace assay {
namespace {

/// Rows at a time: columns are prepared once for all of them.
constexpr std::size_t kRowsAtOnce = 131072;
/// Columns of the first step: few, because they may close most of the rows; and of the others, which share a limit.
constexpr std::size_t kFirstColumns = 2 * ProductScan::kTileColumns;
constexpr std::size_t kMaxColumns = 8 * ProductScan::kTileColumns;
/// Rows of one task.
constexpr std::size_t kTaskRows = 64;

/// Base rows from a place on.
struct Step {
    std::size_t first;
    ProductOperand operand;
};

/// What a worker hands over of one row.
struct Buffers {
    std::vector<std::uint32_t> place;
    std::vector<float> estimate;
};

class Scanner {
public:
    Scanner(const AcceleratedScan& scan, PairTiles& tiles, PairHandler& handler, unsigned threads)
        : scan_(scan), tiles_(tiles), handler_(handler), scale_(static_cast<double>(scan.frame.scale)),
          threads_(resolveThreads(threads)), buffers_(threads_) {}

    void run(const JobContext& job) {
        const std::size_t rows = scan_.rows.query.size();
        for (std::size_t first = 0; first < rows; first += kRowsAtOnce) {
            const std::size_t last = std::min(rows, first + kRowsAtOnce);
            const auto share = [&](std::size_t done) { return static_cast<double>(done) / static_cast<double>(rows); };
            open_.clear();
            for (std::size_t row = first; row < last; ++row)
                open_.push_back(row);
            scanRows(job.part({}, share(first), share(last)));
        }
    }

private:
    void scanRows(const JobContext& job) {
        prepareRows(job);
        const std::size_t columns = scan_.rows.baseRow.size();
        std::size_t width = kFirstColumns;
        for (std::size_t from = 0; from < columns; width = kMaxColumns) {
            dropClosed(from, job);
            if (open_.empty())
                return;
            const std::size_t count = std::min(width, columns - from);
            step_.emplace(
                Step{from, ProductOperand::of({scan_.rows.base, scan_.rows.baseRow.subspan(from, count)}, scan_.frame,
                                              Precision::Integer, threads_, job.part({}, 0.0, 0.0))});
            tiles_.setColumns(step_->operand);
            findLimits(from, count, job);
            tiles_.select(
                limits_, [&](std::span<const PairHit> hits) { take(hits, job); }, job);
            from += count;
            job.checkpoint(static_cast<double>(from) / static_cast<double>(columns));
        }
    }

    void prepareRows(const JobContext& job) {
        std::vector<std::uint32_t> rows;
        rows.reserve(open_.size());
        for (const std::size_t place : open_)
            rows.push_back(scan_.rows.query[place]);
        rows_ = ProductOperand::of({scan_.rows.queries, rows}, scan_.frame, Precision::Integer, threads_,
                                   job.part({}, 0.0, 0.0));
        tiles_.setRows(*rows_);
    }

    /// Drops closed rows as soon as half of the rows are.
    void dropClosed(std::size_t firstColumn, const JobContext& job) {
        std::vector<std::size_t> open;
        for (const std::size_t row : open_)
            if (handler_.farthest(row, {firstColumn, scan_.rows.baseRow.size()}) >= 0.0)
                open.push_back(row);
        if (2 * open.size() > open_.size())
            return;
        open_ = std::move(open);
        if (!open_.empty())
            prepareRows(job);
    }

    void findLimits(std::size_t firstColumn, std::size_t columns, const JobContext& job) {
        limits_.resize(open_.size());
        parallelRanges(open_.size(), kTaskRows, threads_, job.part({}, 0.0, 0.0),
                       [&](std::size_t first, std::size_t last, unsigned) {
                           for (std::size_t r = first; r < last; ++r)
                               limits_[r] = limit(r, {firstColumn, firstColumn + columns});
                       });
    }

    PruningLimit limit(std::size_t row, const PlaceRange& columns) const {
        const double farthest = handler_.farthest(open_[row], columns) * scale_;
        return PruningLimit::of(farthest < 0.0 ? -std::numeric_limits<float>::infinity() : roundUp(farthest * farthest),
                                rows_->bounds(row));
    }

    void take(std::span<const PairHit> hits, const JobContext& job) {
        // By rows; the end of each row's hits becomes the beginning of the next one's.
        std::vector<std::size_t> end(open_.size() + 1, 0);
        for (const PairHit& hit : hits)
            ++end[hit.row + 1];
        for (std::size_t r = 0; r < open_.size(); ++r)
            end[r + 1] += end[r];
        std::vector<PairHit> sorted(hits.size());
        for (const PairHit& hit : hits)
            sorted[end[hit.row]++] = hit;
        parallelRanges(
            open_.size(), kTaskRows, threads_, job.part({}, 0.0, 0.0),
            [&](std::size_t first, std::size_t last, unsigned worker) {
                for (std::size_t r = first; r < last; ++r)
                    hand(r, std::span(sorted).subspan(r == 0 ? 0 : end[r - 1], end[r] - (r == 0 ? 0 : end[r - 1])),
                         worker, job);
            });
    }

    void hand(std::size_t row, std::span<PairHit> hits, unsigned worker, const JobContext& job) {
        if (hits.empty())
            return;
        std::ranges::sort(hits, {}, &PairHit::column);
        auto& [place, estimate] = buffers_[worker];
        place.clear();
        estimate.clear();
        for (const PairHit& hit : hits) {
            place.push_back(static_cast<std::uint32_t>(step_->first + hit.column));
            estimate.push_back(hit.estimate);
        }
        handler_.take({.query = open_[row],
                       .place = place,
                       .worker = worker,
                       .estimate = estimate,
                       .unit = 1.0 / (scale_ * scale_),
                       .row = &rows_->bounds(row),
                       .columns = &step_->operand,
                       .firstPlace = step_->first},
                      job);
    }

    const AcceleratedScan& scan_;
    PairTiles& tiles_;
    PairHandler& handler_;
    double scale_;
    unsigned threads_;
    std::vector<Buffers> buffers_;
    std::vector<std::size_t> open_;      ///< places of the rows that are multiplied
    std::optional<ProductOperand> rows_; ///< their operand
    std::vector<PruningLimit> limits_;   ///< and limits
    std::optional<Step> step_;
};

} // namespace

bool scanByAccelerator(const AcceleratedScan& scan, PairHandler& handler, unsigned threads, const JobContext& job) {
    const auto tiles = scan.accelerator.pairTiles({.rows = std::min(kRowsAtOnce, scan.rows.query.size()),
                                                   .columns = std::min(kMaxColumns, scan.rows.baseRow.size()),
                                                   .dim = scan.rows.base.dim});
    if (!tiles)
        return false;
    Scanner(scan, *tiles, handler, threads).run(job);
    return true;
}

} // namespace assay

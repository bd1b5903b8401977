#include "engine/math/statistics/bootstrap.h"

#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/products/product_kernel.h"
#include "engine/math/statistics/nan.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr std::size_t kResamplesPerTask = 2 * kPanelWidth;
constexpr std::size_t kRowsPerBlock = 256; // three panels of them stay in cache for all resamples of a task

/// Draws `rows` times with replacement from `rows` rows; counts[row] is the number of draws of each.
void draw(std::uint16_t* counts, std::size_t rows, std::uint64_t seed) {
    demo::Random random(seed);
    const auto take = [&](std::uint64_t half) { ++counts[(half * rows) >> 32]; };
    for (std::size_t drawn = 0; drawn + 1 < rows; drawn += 2) {
        const std::uint64_t both = random.next();
        take(both >> 32);
        take(both & 0xFFFFFFFF);
    }
    if (rows % 2 == 1)
        take(random.next() >> 32);
}

/// Columns packed into panels. Panels of zeros follow the last one, up to the number of panels that are multiplied at
/// once.
class PackedColumns {
public:
    explicit PackedColumns(std::span<const std::vector<double>> columns)
        : rows_(columns.front().size()), panels_((columns.size() + kPanelWidth - 1) / kPanelWidth),
          values_(makeLargeArray<double>(panels_ * kPanelWidth * rows_)), zeros_(kPanelWidth * kRowsPerBlock, 0.0) {
        for (std::size_t c = 0; c < panels_ * kPanelWidth; ++c) {
            double* to = values_.get() + c / kPanelWidth * kPanelWidth * rows_ + c % kPanelWidth;
            for (std::size_t r = 0; r < rows_; ++r)
                to[r * kPanelWidth] = c < columns.size() ? columns[c][r] : 0.0;
        }
    }

    /// Number of columns, rounded up to whole tiles.
    std::size_t width() const { return (panels_ + kPanelsAtOnce - 1) / kPanelsAtOnce * kTileColumns; }
    /// One block of rows of a panel.
    /// @param row first row of the block
    const double* panel(std::size_t p, std::size_t row) const {
        return p < panels_ ? values_.get() + (p * rows_ + row) * kPanelWidth : zeros_.data();
    }

private:
    std::size_t rows_;
    std::size_t panels_;
    LargeArray<double> values_;
    std::vector<double> zeros_;
};

/// Sums of the columns in each resample of one task.
/// @param counts draws per row in the task's resamples, kResamplesPerTask x rows
/// @return kResamplesPerTask x values.width()
std::vector<double> resampledSums(const std::vector<std::uint16_t>& counts, std::size_t rows,
                                  const PackedColumns& values, const JobContext& job) {
    const PanelKernel multiply = panelKernel();
    std::vector<double> sums(kResamplesPerTask * values.width(), 0.0);
    std::vector<double> weights(kPanelWidth * kRowsPerBlock);
    double tile[kPanelWidth * kTileColumns];
    for (std::size_t row = 0; row < rows; row += kRowsPerBlock) {
        job.throwIfStopped();
        const std::size_t block = std::min(kRowsPerBlock, rows - row);
        for (std::size_t first = 0; first < kResamplesPerTask; first += kPanelWidth) {
            for (std::size_t r = 0; r < block; ++r)
                for (std::size_t b = 0; b < kPanelWidth; ++b)
                    weights[r * kPanelWidth + b] = static_cast<double>(counts[(first + b) * rows + row + r]);
            for (std::size_t c = 0; c < values.width(); c += kTileColumns) {
                const std::size_t p = c / kPanelWidth;
                const double* const panels[kPanelsAtOnce] = {values.panel(p, row), values.panel(p + 1, row),
                                                             values.panel(p + 2, row)};
                multiply(block, weights.data(), panels, tile);
                for (std::size_t b = 0; b < kPanelWidth; ++b)
                    for (std::size_t w = 0; w < kTileColumns; ++w)
                        sums[(first + b) * values.width() + c + w] += tile[b * kTileColumns + w];
            }
        }
    }
    return sums;
}

} // namespace

std::vector<double> resampledMeans(std::span<const std::vector<double>> columns, const Resampling& how,
                                   const JobContext& job) {
    const std::size_t width = columns.size();
    const std::size_t rows = width == 0 ? 0 : columns.front().size();
    std::vector<double> means(how.count * width, kNaN);
    if (rows == 0)
        return means;
    const PackedColumns values(columns);
    const std::size_t tasks = (how.count + kResamplesPerTask - 1) / kResamplesPerTask;
    parallelFor(tasks, how.threads, job, [&](std::size_t task, unsigned) {
        const std::size_t first = task * kResamplesPerTask;
        const std::size_t last = std::min(how.count, first + kResamplesPerTask);
        std::vector<std::uint16_t> counts(kResamplesPerTask * rows, 0);
        for (std::size_t b = first; b < last; ++b) {
            job.throwIfStopped();
            draw(counts.data() + (b - first) * rows, rows, demo::Random::forItem(how.seed, b).next());
        }
        const std::vector<double> sums = resampledSums(counts, rows, values, job);
        for (std::size_t b = first; b < last; ++b)
            for (std::size_t c = 0; c < width; ++c)
                means[b * width + c] = sums[(b - first) * values.width() + c] / static_cast<double>(rows);
    });
    return means;
}

Bounds percentileBounds(std::vector<double> values, double level) {
    if (values.empty() || std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
        return {kNaN, kNaN};
    std::sort(values.begin(), values.end());
    const auto quantile = [&](double share) {
        const double at = share * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        const double part = at - static_cast<double>(below);
        // Infinite neighbours have no difference.
        return part == 0.0 ? values[below] : values[below] * (1.0 - part) + values[above] * part;
    };
    return {quantile((1.0 - level) / 2.0), quantile((1.0 + level) / 2.0)};
}

std::uint64_t streamSeed(std::uint64_t seed, std::string_view stream) {
    std::uint64_t hash = 0xCBF29CE484222325ULL; // FNV-1a: the same on every machine, unlike std::hash
    for (const char c : stream)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return demo::Random::forItem(seed, hash).next();
}

} // namespace assay

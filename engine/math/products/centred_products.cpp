#include "engine/math/products/centred_products.h"

#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/math/products/panels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay {
namespace {

constexpr std::size_t kWidth = kPanelWidth<float>;    ///< columns of the set in a panel
constexpr std::size_t kColumns = kTileColumns<float>; ///< of a tile
constexpr std::size_t kChunk = 64;                    ///< products summed in single precision
constexpr std::size_t kDepth =
    2048; ///< rows packed at a time: three panels stay in cache, and the product is visited seldom
constexpr std::size_t kPanelsPerTask = 2;
constexpr std::size_t kRowsPerPack = 16;

class FloatGram {
public:
    FloatGram(MatrixView set, std::span<const double> mean, std::span<const double> scale)
        : set_(set), mean_(mean), scale_(scale), panels_(panelsFor<float>(set.dim)),
          values_(makeLargeArray<float>(panels_ * kWidth * kDepth)),
          product_(set.rows > 0 ? DoubleMatrix::unset(set.dim, set.dim) : DoubleMatrix(set.dim, set.dim)) {}

    DoubleMatrix find(unsigned threads, const JobContext& job) {
        const std::size_t tasks = (panels_ + kPanelsPerTask - 1) / kPanelsPerTask;
        for (std::size_t from = 0; from < set_.rows; from += kDepth) {
            const double done = static_cast<double>(from) / static_cast<double>(set_.rows);
            const JobContext quiet = job.part({}, done, done);
            const std::size_t length = std::min(kDepth, set_.rows - from);
            const std::size_t packTasks = (length + kRowsPerPack - 1) / kRowsPerPack;
            parallelFor(packTasks, threads, quiet, [&](std::size_t task, unsigned) {
                pack(from, task * kRowsPerPack, std::min(length, (task + 1) * kRowsPerPack));
            });
            // The last rows of the triangle are the longest: they go first, so that no worker is left with them.
            parallelFor(tasks, threads, quiet, [&](std::size_t task, unsigned) {
                if (from == 0)
                    clearRows(tasks - 1 - task);
                addRows(tasks - 1 - task, length);
            });
        }
        return std::move(product_);
    }

private:
    float* panel(std::size_t p) const { return values_.get() + p * kWidth * kDepth; }

    /// Rows [first, last) of those behind `from`, side by side: memory is waited for in all of them at once.
    void pack(std::size_t from, std::size_t first, std::size_t last) {
        for (std::size_t p = 0; p < panels_; ++p) {
            const std::size_t column = p * kWidth;
            if (column >= set_.dim) {
                std::fill(panel(p) + first * kWidth, panel(p) + last * kWidth, 0.0F);
                continue;
            }
            const std::size_t count = std::min(kWidth, set_.dim - column);
            const double* mean = mean_.data() + column;
            for (std::size_t k = first; k < last; ++k) {
                const float* row = set_.rowData(from + k) + column;
                const double scale = scale_.empty() ? 1.0 : scale_[from + k];
                float* to = panel(p) + k * kWidth;
                for (std::size_t v = 0; v < count; ++v)
                    to[v] = static_cast<float>(static_cast<double>(row[v]) * scale - mean[v]);
                std::fill(to + count, to + kWidth, 0.0F);
            }
        }
    }

    std::size_t firstRowOf(std::size_t task) const { return std::min(set_.dim, task * kPanelsPerTask * kWidth); }

    /// By who adds to them next: handing over pages takes as long as setting them.
    void clearRows(std::size_t task) {
        std::fill(product_.row(firstRowOf(task)), product_.row(firstRowOf(task + 1)), 0.0);
    }

    void addRows(std::size_t task, std::size_t length) {
        alignas(64) double tile[kTileRows * kColumns];
        const std::size_t firstRow = firstRowOf(task);
        const std::size_t lastRow = firstRowOf(task + 1);
        for (std::size_t j = 0; j < lastRow; j += kColumns) {
            const std::size_t q = j / kWidth;
            for (std::size_t i = firstRow; i < lastRow; i += kTileRows) {
                if (j >= i + kTileRows)
                    continue;
                multiplyPanels(Panels<float>{.depth = length,
                                             .chunk = kChunk,
                                             .a = panel(i / kWidth) + i % kWidth,
                                             .b = {panel(q), panel(q + 1), panel(q + 2)},
                                             .wanted = wantedPanels<float>(i + kTileRows - j)},
                               tile);
                add(tile, i, j);
            }
        }
    }

    void add(const double* tile, std::size_t i, std::size_t j) {
        for (std::size_t v = 0; v < std::min(kTileRows, set_.dim - i); ++v) {
            double* to = product_.row(i + v) + j;
            const std::size_t last = i + v + 1 > j ? std::min(kColumns, i + v + 1 - j) : 0;
            for (std::size_t w = 0; w < last; ++w)
                to[w] += tile[v * kColumns + w];
        }
    }

    MatrixView set_;
    std::span<const double> mean_;
    std::span<const double> scale_;
    std::size_t panels_;
    LargeArray<float> values_;
    DoubleMatrix product_;
};

} // namespace

DoubleMatrix floatGram(MatrixView set, std::span<const double> mean, std::span<const double> scale, unsigned threads,
                       const JobContext& job) {
    return FloatGram(set, mean, scale).find(threads, job);
}

double floatGramError(std::size_t rows) {
    // The sum over a chunk wanders about as its partial sums do: its roundings add up to half the chunk's length of
    // one term's, and the chunks' to the root of their number.
    return 0x1p-24 * std::sqrt(static_cast<double>(kChunk) / (2.0 * static_cast<double>(rows)));
}

namespace {

/// Packs vectors less a centre into consecutive panels; what these have beyond them is zero.
void packPanels(std::span<const float* const> vectors, std::span<const float> centre, std::size_t panels, float* to) {
    for (std::size_t p = 0; p < panels; ++p) {
        const std::size_t first = std::min(vectors.size(), p * kWidth);
        packFloatPanel(vectors.subspan(first, std::min(kWidth, vectors.size() - first)), centre.size(), centre.data(),
                       to + p * kWidth * centre.size());
    }
}

/// Directions in panels.
LargeArray<float> packed(const DoubleMatrix& directions) {
    const std::size_t panels = (directions.rows + kWidth - 1) / kWidth;
    const std::vector<float> floats(directions.values.begin(), directions.values.end());
    std::vector<const float*> vectors;
    for (std::size_t d = 0; d < directions.rows; ++d)
        vectors.push_back(floats.data() + d * directions.columns);
    LargeArray<float> values = makeLargeArray<float>(panels * kWidth * directions.columns);
    packPanels(vectors, std::vector<float>(directions.columns, 0.0F), panels, values.get());
    return values;
}

} // namespace

std::vector<float> projectRows(std::span<const float* const> rows, std::span<const float> centre,
                               const DoubleMatrix& directions, unsigned threads, const JobContext& job) {
    const std::size_t dim = centre.size();
    const std::size_t count = directions.rows;
    const LargeArray<float> directionPanels = packed(directions);
    std::vector<float> image(rows.size() * count);
    std::vector<LargeArray<float>> panels(resolveThreads(threads));
    for (LargeArray<float>& values : panels)
        values = makeLargeArray<float>(kColumns * dim);
    parallelRanges(rows.size(), kColumns, threads, job, [&](std::size_t from, std::size_t end, unsigned worker) {
        const auto some = rows.subspan(from, end - from);
        float* const values = panels[worker].get();
        packPanels(some, centre, kPanelsAtOnce, values);
        alignas(64) std::array<double, kTileRows * kColumns> tile; // NOLINT(*-member-init)
        float* const to = image.data() + from * count;
        for (std::size_t first = 0; first < count; first += kTileRows) {
            multiplyPanels(Panels<float>{.depth = dim,
                                         .chunk = kChunk,
                                         .a = directionPanels.get() + first / kWidth * kWidth * dim + first % kWidth,
                                         .b = {values, values + kWidth * dim, values + 2 * kWidth * dim},
                                         .wanted = kPanelsAtOnce},
                           tile.data());
            for (std::size_t v = 0; v < std::min(kTileRows, count - first); ++v)
                for (std::size_t r = 0; r < some.size(); ++r)
                    to[r * count + first + v] = static_cast<float>(tile[v * kColumns + r]);
        }
    });
    return image;
}

} // namespace assay

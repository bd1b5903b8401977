#include "engine/math/products/float_projection.h"

#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/math/products/float_panels.h"

#include <algorithm>
#include <array>

namespace assay {
namespace {

constexpr std::size_t kWidth = kFloatPanelWidth;
constexpr std::size_t kRowsPerTask = kFloatTileColumns;
constexpr std::size_t kChunk = 64; ///< products summed in single precision

/// Directions in panels.
class PackedDirections {
public:
    explicit PackedDirections(const DoubleMatrix& directions)
        : panels_((directions.rows + kWidth - 1) / kWidth), dim_(directions.columns),
          values_(makeLargeArray<float>(panels_ * kWidth * dim_)) {
        const std::vector<float> floats(directions.values.begin(), directions.values.end());
        const std::vector<float> nothing(dim_, 0.0F);
        for (std::size_t p = 0; p < panels_; ++p) {
            std::array<const float*, kWidth> vectors{};
            const std::size_t count = std::min(kWidth, directions.rows - p * kWidth);
            for (std::size_t v = 0; v < count; ++v)
                vectors[v] = floats.data() + (p * kWidth + v) * dim_;
            packFloatPanel({vectors.data(), count}, dim_, nothing.data(), values_.get() + p * kWidth * dim_);
        }
    }

    /// The panel of direction `first`, from it on.
    const float* from(std::size_t first) const {
        return values_.get() + first / kWidth * kWidth * dim_ + first % kWidth;
    }

private:
    std::size_t panels_;
    std::size_t dim_;
    LargeArray<float> values_;
};

} // namespace

std::vector<float> projectRows(std::span<const float* const> rows, std::span<const float> centre,
                               const DoubleMatrix& directions, unsigned threads, const JobContext& job) {
    const std::size_t dim = centre.size();
    const std::size_t count = directions.rows;
    const PackedDirections packed(directions);
    std::vector<float> image(rows.size() * count);
    std::vector<LargeArray<float>> panels(resolveThreads(threads));
    for (LargeArray<float>& values : panels)
        values = makeLargeArray<float>(kRowsPerTask * dim);
    parallelRanges(rows.size(), kRowsPerTask, threads, job, [&](std::size_t from, std::size_t end, unsigned worker) {
        const auto some = rows.subspan(from, end - from);
        float* const values = panels[worker].get();
        for (std::size_t p = 0; p < kFloatPanelsAtOnce; ++p) {
            const std::size_t first = std::min(some.size(), p * kWidth);
            packFloatPanel(some.subspan(first, std::min(kWidth, some.size() - first)), dim, centre.data(),
                           values + p * kWidth * dim);
        }
        alignas(64) std::array<double, kFloatTileRows * kFloatTileColumns> tile; // NOLINT(*-member-init)
        float* const to = image.data() + from * count;
        for (std::size_t first = 0; first < count; first += kFloatTileRows) {
            multiplyFloatPanels({.depth = dim,
                                 .chunk = kChunk,
                                 .a = packed.from(first),
                                 .b = {values, values + kWidth * dim, values + 2 * kWidth * dim},
                                 .wanted = kFloatPanelsAtOnce},
                                tile.data());
            for (std::size_t v = 0; v < std::min(kFloatTileRows, count - first); ++v)
                for (std::size_t r = 0; r < some.size(); ++r)
                    to[r * count + first + v] = static_cast<float>(tile[v * kFloatTileColumns + r]);
        }
    });
    return image;
}

} // namespace assay

#include "engine/math/products/float_projection.h"

#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/math/products/panels.h"

#include <algorithm>
#include <array>

namespace assay {
namespace {

constexpr std::size_t kWidth = kPanelWidth<float>;
constexpr std::size_t kRowsPerTask = kTileColumns<float>;
constexpr std::size_t kChunk = 64; ///< products summed in single precision

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
        values = makeLargeArray<float>(kRowsPerTask * dim);
    parallelRanges(rows.size(), kRowsPerTask, threads, job, [&](std::size_t from, std::size_t end, unsigned worker) {
        const auto some = rows.subspan(from, end - from);
        float* const values = panels[worker].get();
        packPanels(some, centre, kPanelsAtOnce, values);
        alignas(64) std::array<double, kTileRows * kTileColumns<float>> tile; // NOLINT(*-member-init)
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
                    to[r * count + first + v] = static_cast<float>(tile[v * kTileColumns<float> + r]);
        }
    });
    return image;
}

} // namespace assay

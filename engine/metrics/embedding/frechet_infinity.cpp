#include "engine/metrics/embedding/frechet_infinity.h"

#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/linear/centre.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/tables/metric_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMaxSizeSubsets = 10;
constexpr std::size_t kMinRows = 10;
constexpr unsigned kMaxAtOnce = 4; // each needs six matrices of d x d
constexpr std::uint64_t kInfinityStream = 0x696e66;

std::size_t smallestSize(std::size_t rows, std::size_t dim) {
    return std::max({(rows + kMaxSizeSubsets - 1) / kMaxSizeSubsets, 2 * dim, kMinRows});
}

/// The rows in an order that depends on their values and a seed alone.
LargeArray<float> shuffledRows(MatrixView set, const ComputeContext& context) {
    std::vector<std::uint32_t> order = contentOrder(set, {}, context.seed, context.threads);
    Random::forItem(context.seed ^ kInfinityStream, 0).shuffle(order); // equal rows stand together before
    LargeArray<float> rows = makeLargeArray<float>(set.rows * set.dim);
    parallelFor(set.rows, context.threads, context.job.silent(), [&](std::size_t i, unsigned) {
        std::copy_n(set.rowData(order[i]), set.dim, rows.get() + i * set.dim);
    });
    return rows;
}

/// 0.975 quantile of Student's t for 1 .. 9 degrees of freedom.
constexpr std::array kStudent{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
static_assert(kStudent.size() == kMaxSizeSubsets - 1);

double meanOf(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Fits a + b / n, and the interval of a. To first order the distance of a whole set is the mean of those of its
/// disjoint subsets less b (1 / n - 1 / M), so that both have the same standard error.
void fitLine(FrechetInfinity& result, std::span<const double> smallest) {
    std::vector<double> x(result.sizes.size());
    std::ranges::transform(result.sizes, x.begin(), [](double n) { return 1.0 / n; });
    const double meanX = meanOf(x);
    const double meanY = meanOf(result.distances);
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - meanX) * (x[i] - meanX);
        xy += (x[i] - meanX) * (result.distances[i] - meanY);
        yy += (result.distances[i] - meanY) * (result.distances[i] - meanY);
    }
    result.slope = xy / xx;
    const double value = meanY - result.slope * meanX;
    const double left = std::max(0.0, yy - result.slope * xy);
    result.r2 = yy > 0.0 ? 1.0 - left / yy : 1.0;
    const auto count = static_cast<double>(smallest.size());
    const double mean = meanOf(smallest);
    double squares = 0.0;
    for (const double distance : smallest)
        squares += (distance - mean) * (distance - mean);
    const double half = kStudent[smallest.size() - 2] * std::sqrt(squares / (count - 1.0) / count);
    constexpr double kGood = 0.9;
    if (result.r2 < kGood && std::sqrt(left / static_cast<double>(x.size())) > half)
        return;
    result.value = value;
    result.low = value - half;
    result.high = value + half;
}

} // namespace

FrechetInfinity frechetInfinity(const GaussianFit& real, MatrixView set, const ComputeContext& context) {
    struct Subset {
        std::size_t first, rows, size; ///< `size` is the index of its size
    };
    FrechetInfinity result;
    const std::size_t least = smallestSize(set.rows, set.dim);
    if (set.dim > kMaxInfinityDim || 2 * least > set.rows)
        return result;
    std::vector<Subset> subsets;
    for (std::size_t i = 0; i < kInfinitySizes; ++i) {
        const std::size_t rows = least + (set.rows - least) * i / (kInfinitySizes - 1);
        for (std::size_t first = 0; first + rows <= set.rows; first += rows)
            subsets.push_back({first, rows, i});
        result.sizes.push_back(static_cast<double>(rows));
    }
    const LargeArray<float> rows = shuffledRows(set, context);
    std::vector<double> found(subsets.size());
    const unsigned threads = std::min(resolveThreads(context.threads), kMaxAtOnce);
    parallelFor(subsets.size(), threads, context.job, [&](std::size_t task, unsigned) {
        const std::size_t at = subsets.size() - 1 - task; // the largest first
        const Subset& subset = subsets[at];
        const MatrixView part{rows.get() + subset.first * set.dim, subset.rows, set.dim};
        const JobContext silent = context.job.silent();
        found[at] = frechetDistance(real, fitGaussian(part, 1, silent), 1, silent);
    });
    std::vector<double> smallest;
    for (std::size_t i = 0; i < kInfinitySizes; ++i) {
        std::vector<double> ofSize;
        for (std::size_t s = 0; s < subsets.size(); ++s)
            if (subsets[s].size == i)
                ofSize.push_back(found[s]);
        result.distances.push_back(meanOf(ofSize));
        if (i == 0)
            smallest = std::move(ofSize);
    }
    fitLine(result, smallest);
    return result;
}

std::size_t frechetInfinityBytes(std::size_t rows, std::size_t dim, unsigned threads) {
    if (dim > kMaxInfinityDim || 2 * smallestSize(rows, dim) > rows)
        return 0;
    return rows * dim * sizeof(float) +
           std::min<std::size_t>(resolveThreads(threads), kMaxAtOnce) * 6 * dim * dim * sizeof(double);
}

CurveValues metrics::frechetBySize(const MetricInputs& in) {
    const auto& found = in.get<FrechetInfinity>();
    CurveValues curve{.id = {}, .x = found.sizes, .lines = {{.name = "frechet_distance", .y = found.distances}}};
    if (std::isnan(found.value))
        return curve;
    CurveLine& line = curve.lines.emplace_back(CurveLine{.name = "frechet_infinity", .y = {}});
    for (const double size : found.sizes)
        line.y.push_back(found.value + found.slope / size);
    return curve;
}

} // namespace assay

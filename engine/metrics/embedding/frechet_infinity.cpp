#include "engine/metrics/embedding/frechet_infinity.h"

#include "engine/base/large_array.h"
#include "engine/base/random.h"
#include "engine/base/run_alongside.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/products/centred_products.h"
#include "engine/math/products/dense_product.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/tables/metric_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMaxSizeSubsets = 6; // of the smallest size
constexpr std::size_t kSmallestShare = 10; // a tenth
constexpr std::size_t kPerDimension = 4;   // below, terms of 1 / n^2 matter as much as that of 1 / n
constexpr std::size_t kMinRows = 10;
constexpr std::uint64_t kInfinityStream = 0x696e66;

std::size_t smallestSize(std::size_t rows, std::size_t dim) {
    return std::max({(rows + kSmallestShare - 1) / kSmallestShare, kPerDimension * dim, kMinRows});
}

/// Sums over some rows, about the mean of all: enough for their mean and covariance.
struct RowSums {
    RowSums(std::size_t dim, std::size_t rank) : sum(dim, 0.0), projectedSum(rank, 0.0), products(rank, rank) {}

    double rows = 0.0;
    std::vector<double> sum;          ///< of the rows
    double squares = 0.0;             ///< of their lengths
    std::vector<double> projectedSum; ///< of the projected rows
    DoubleMatrix products;            ///< of their columns, lower triangle
};

/// The set and its projected rows, in an order that depends on the rows' values and a seed alone.
class ShuffledSet {
public:
    ShuffledSet(MatrixView set, const std::vector<double>& mean, std::span<const float> projected, std::size_t rank,
                const ComputeContext& context)
        : set_(set), mean_(mean), projected_(projected), rank_(rank), context_(context),
          order_(contentOrder(set, {}, context.seed, context.threads)) {
        Random::forItem(context.seed ^ kInfinityStream, 0).shuffle(order_); // equal rows stand together before
    }

    /// Adds the rows at the places [first, last).
    void add(RowSums& sums, std::size_t first, std::size_t last) const {
        const std::size_t count = last - first;
        const LargeArray<float> values = makeLargeArray<float>(count * rank_);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t row = order_[first + i];
            const float* const y = projected_.data() + row * rank_;
            std::copy_n(y, rank_, values.get() + i * rank_);
            for (std::size_t c = 0; c < rank_; ++c)
                sums.projectedSum[c] += static_cast<double>(y[c]);
            for (std::size_t c = 0; c < set_.dim; ++c) {
                const double x = static_cast<double>(set_.rowData(row)[c]) - mean_[c];
                sums.sum[c] += x;
                sums.squares += x * x;
            }
        }
        const MatrixView part{values.get(), count, rank_};
        const std::vector<double> centre(rank_, 0.0);
        const JobContext job = context_.job.silent();
        const DoubleMatrix products = rank_ < kFewColumns ? gramOf(columnsOf(part, centre), context_.threads, job)
                                                          : floatGram(part, centre, {}, context_.threads, job);
        changeLowerTriangle(sums.products, context_.threads, job,
                            [&](std::size_t i, std::size_t j, double sum) { return sum + products.at(i, j); });
        sums.rows += static_cast<double>(count);
    }

private:
    MatrixView set_;
    const std::vector<double>& mean_;
    std::span<const float> projected_;
    std::size_t rank_;
    const ComputeContext& context_;
    std::vector<std::uint32_t> order_;
};

/// Distance of the rows that were summed to the real fit. The eigenvalues take a core while the caller goes on.
Alongside<double> beginDistance(const GaussianFit& real, const FrechetSpectrum& spectrum, const RowSums& sums,
                                const ComputeContext& context) {
    const double n = sums.rows;
    double apart = 0.0;
    double moved = 0.0;
    for (std::size_t c = 0; c < sums.sum.size(); ++c) {
        const double mean = sums.sum[c] / n;
        apart += (spectrum.meanShift[c] + mean) * (spectrum.meanShift[c] + mean);
        moved += mean * mean;
    }
    const double without = apart + (sums.squares - n * moved) / (n - 1.0) + real.totalVariance;
    const auto covariance = std::make_shared<DoubleMatrix>(sums.products);
    changeLowerTriangle(*covariance, context.threads, context.job.silent(),
                        [&](std::size_t i, std::size_t j, double sum) {
                            return (sum - sums.projectedSum[i] * sums.projectedSum[j] / n) / (n - 1.0);
                        });
    return runAlongside(context.threads, [covariance, without, silent = context.job.silent()] {
        double roots = 0.0;
        for (const double value : symmetricEigenvalues(std::move(*covariance), silent))
            roots += std::sqrt(std::max(0.0, value));
        return without - 2.0 * roots;
    });
}

/// 0.975 quantile of Student's t for 1 .. 5 degrees of freedom.
constexpr std::array kStudent{12.706, 4.303, 3.182, 2.776, 2.571};
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

FrechetInfinity frechetInfinity(const GaussianFit& real, const FrechetSpectrum& spectrum, MatrixView set,
                                const std::vector<double>& mean, std::span<const float> projected, double whole,
                                const ComputeContext& context) {
    FrechetInfinity result;
    const std::size_t least = smallestSize(set.rows, set.dim);
    if (set.dim > kMaxInfinityDim || 2 * least > set.rows)
        return result;
    const std::size_t rank = spectrum.values.size();
    const ShuffledSet shuffled(set, mean, projected, rank, context);
    const std::size_t subsets = std::min(kMaxSizeSubsets, set.rows / least);
    std::vector<double> found(kInfinitySizes + subsets - 1);
    Alongside<double> pending; // of the place before
    const auto keep = [&](std::size_t at, Alongside<double> next) {
        if (pending.valid())
            found[at - 1] = pending.get();
        pending = std::move(next);
        context.job.checkpoint(static_cast<double>(at) / static_cast<double>(found.size()));
    };
    RowSums nested(set.dim, rank);
    for (std::size_t i = 0; i < kInfinitySizes; ++i) {
        const std::size_t rows = least + (set.rows - least) * i / (kInfinitySizes - 1);
        shuffled.add(nested, static_cast<std::size_t>(nested.rows), rows);
        keep(i, beginDistance(real, spectrum, nested, context));
        result.sizes.push_back(static_cast<double>(rows));
    }
    for (std::size_t s = 1; s < subsets; ++s) {
        RowSums sums(set.dim, rank);
        shuffled.add(sums, s * least, (s + 1) * least);
        keep(kInfinitySizes + s - 1, beginDistance(real, spectrum, sums, context));
    }
    found.back() = pending.get();
    const double offset = whole - found[kInfinitySizes - 1];
    for (double& distance : found)
        distance += offset;
    const auto ofSizes = found.begin() + static_cast<std::ptrdiff_t>(kInfinitySizes);
    result.distances.assign(found.begin(), ofSizes);
    std::vector<double> smallest(ofSizes, found.end());
    smallest.push_back(found.front());
    result.distances.front() = meanOf(smallest);
    fitLine(result, smallest);
    return result;
}

std::size_t frechetInfinityBytes(std::size_t rows, std::size_t dim) {
    if (dim > kMaxInfinityDim || 2 * smallestSize(rows, dim) > rows)
        return 0;
    const std::size_t gathered = rows / 2 * dim * sizeof(float); // at most, by the smallest size
    return gathered + 5 * dim * dim * sizeof(double) + rows * sizeof(std::uint64_t);
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

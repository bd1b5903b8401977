#include "engine/metrics/topological/top_support.h"

#include "engine/base/compute_context.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/linear/centre.h"
#include "engine/math/products/centred_products.h"
#include "engine/math/products/cosine_kernel.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/metrics/topological/point_distances.h"
#include "engine/metrics/topological/top_bandwidth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace assay {
namespace {

constexpr std::uint64_t kStream = 0x746f70; // sets these draws apart from others of the same seed

enum Draw : std::uint64_t { ProjectionDraw, OrderDraw, ResampleDraw };

Random randomFor(const TopOptions& options, Draw draw) {
    return Random::forItem(options.seed ^ kStream, draw);
}

/// Row indices in the order in which they are used, at most options.mostRows.
std::vector<std::uint32_t> rowsUsed(MatrixView set, const TopOptions& options, unsigned threads) {
    std::vector<std::uint32_t> order;
    if (options.shuffled || set.rows > options.mostRows) {
        order = contentOrder(set, {}, options.seed, threads);
        randomFor(options, OrderDraw).shuffle(order); // equal rows stand together in the order of contents
    } else {
        order.resize(set.rows);
        std::iota(order.begin(), order.end(), 0U);
    }
    order.resize(std::min(set.rows, options.mostRows));
    return order;
}

/// Random d x p projection matrix: normal entries with variance 2 / (d + p), as in the published program.
DoubleMatrix projection(std::size_t dim, const TopOptions& options) {
    Random random = randomFor(options, ProjectionDraw);
    DoubleMatrix matrix(options.projectedDim, dim);
    const double scale = std::sqrt(2.0 / static_cast<double>(dim + options.projectedDim));
    for (double& value : matrix.values)
        value = scale * random.normal();
    return matrix;
}

/// Writes the used rows minus the centre to support.points, projected if they have more than options.projectedDim
/// dimensions.
void place(MatrixView set, const TopOptions& options, unsigned threads, const JobContext& job, TopSupport& support) {
    const std::vector<std::uint32_t> order = rowsUsed(set, options, threads);
    support.centre = options.centre.empty() ? columnMeans(set, threads, job) : options.centre;
    support.rows = order.size();
    const bool projected = set.dim > options.projectedDim;
    support.dim = projected ? options.projectedDim : set.dim;
    if (!projected) {
        support.points.resize(support.rows * support.dim);
        for (std::size_t r = 0; r < support.rows; ++r)
            for (std::size_t c = 0; c < set.dim; ++c)
                support.points[r * set.dim + c] =
                    static_cast<float>(static_cast<double>(set.rowData(order[r])[c]) - support.centre[c]);
        return;
    }
    const DoubleMatrix directions = projection(set.dim, options);
    std::vector<const float*> rows(order.size());
    std::transform(order.begin(), order.end(), rows.begin(), [&](std::uint32_t r) { return set.rowData(r); });
    // Both sets are moved by the same, so that it need not be the mean to its last digit.
    const std::vector<float> centre(support.centre.begin(), support.centre.end());
    support.points = projectRows(rows, centre, directions, threads, job);
}

/// Weights of each row in the sums: 1, then its count in each bootstrap resample, then zeros up to `width`.
std::vector<float> resampleWeights(std::size_t rows, std::size_t width, const TopOptions& options) {
    Random random = randomFor(options, ResampleDraw);
    std::vector<float> weights(rows * width, 0.0F);
    for (std::size_t row = 0; row < rows; ++row)
        weights[row * width] = 1.0F;
    for (std::size_t b = 0; b < options.repeats; ++b)
        for (std::size_t draw = 0; draw < rows; ++draw)
            weights[random.below(rows) * width + 1 + b] += 1.0F;
    return weights;
}

std::size_t weightsPerRow(const TopOptions& options) {
    constexpr std::size_t kLanes = WeightedRows::kWeightLanes;
    return (1 + options.repeats + kLanes - 1) / kLanes * kLanes;
}

/// Kernel values of the rows near a row; rows with kernel 0 are left out.
class NearKernels {
public:
    explicit NearKernels(float squaredBandwidth) : squaredBandwidth_(squaredBandwidth) {}

    void find(const NearRows& near) {
        value_.resize(near.count);
        row_.resize(near.count);
        cosineKernel(near.squared, near.count, squaredBandwidth_, value_.data());
        count_ = 0;
        for (std::size_t h = 0; h < near.count; ++h) {
            const float value = value_[h];
            value_[count_] = value;
            row_[count_] = near.row[h];
            count_ += value > 0.0F ? 1 : 0;
        }
    }

    std::size_t count() const { return count_; }
    const float* value() const { return value_.data(); }
    const std::uint32_t* row() const { return row_.data(); }

private:
    float squaredBandwidth_;
    std::size_t count_ = 0;
    std::vector<float> value_;
    std::vector<std::uint32_t> row_;
};

/// Sum of integers stored as floats. It is exact in any order, so several lanes are summed at a time.
double sumOf(const std::vector<float>& kernels) {
    constexpr std::size_t kAtOnce = 16;
    std::array<double, kAtOnce> sums{};
    std::size_t h = 0;
    for (; h + kAtOnce <= kernels.size(); h += kAtOnce)
        for (std::size_t l = 0; l < kAtOnce; ++l)
            sums[l] += static_cast<double>(kernels[h + l]);
    for (; h < kernels.size(); ++h)
        sums[0] += static_cast<double>(kernels[h]);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// Per-worker sums of integers below 2^53, which are exact in any order.
class ExactSums {
public:
    ExactSums(std::size_t size, unsigned workers) : size_(size), sums_(workers) {}

    double* of(unsigned worker) {
        if (sums_[worker].empty())
            sums_[worker].assign(size_, 0.0);
        return sums_[worker].data();
    }

    std::vector<double> total() {
        std::vector<double> total(size_, 0.0);
        for (const std::vector<double>& sum : sums_)
            for (std::size_t i = 0; i < sum.size(); ++i)
                total[i] += sum[i];
        return total;
    }

private:
    std::size_t size_;
    std::vector<std::vector<double>> sums_;
};

/// Largest number of workers: each needs memory for its own sums.
constexpr unsigned kMaxSumming = 16;

unsigned summingThreads(unsigned threads) {
    return std::min(resolveThreads(threads), kMaxSumming);
}

/// Calls take(row, later near rows) for the stored pairs of rows from `first` on.
template <typename Take>
void forStored(const LaterPairs::Part& part, std::size_t first, Take take) {
    std::size_t from = 0;
    for (std::size_t i = first; i < first + part.end.size(); ++i) {
        const std::size_t end = part.end[i - first];
        take(i, {part.row.data() + from, part.squared.data() + from, end - from});
        from = end;
    }
}

/// Computes the density at the set's own points, and the confidence band from the largest deviation of each bootstrap
/// resample.
void band(TopSupport& support, const PointDistances& points, const Bandwidth& bandwidth, const TopOptions& options,
          const ComputeContext& context) {
    const std::size_t n = support.rows;
    const std::size_t width = weightsPerRow(options);
    constexpr auto kUnit = static_cast<double>(kKernelUnit);
    const std::vector<float> weights = resampleWeights(n, width, options);
    const unsigned workers = summingThreads(context.threads);
    ExactSums partial(n * width, workers);
    std::vector<NearLists> lists(workers);
    const LaterPairs& kept = bandwidth.kept;
    const bool stored = kept.complete && kept.limit >= bandwidth.squared;
    parallelRanges(
        n, kNearRowsPerTask, workers, context.job, [&](std::size_t first, std::size_t last, unsigned worker) {
            const WeightedRows to{weights.data(), partial.of(worker), width};
            NearKernels near(bandwidth.squared);
            const auto add = [&](std::size_t i, const NearRows& rows) {
                near.find(rows);
                addBothWays(to, i, near.row(), near.value(), near.count());
            };
            if (stored)
                forStored(kept.parts[first / kNearRowsPerTask], first, add);
            else
                forNear({support, points, bandwidth.squared, Wanted::Later}, first, last, lists[worker], add);
        });
    const std::vector<double> sums = partial.total();
    std::vector<double> strays(options.repeats, 0.0);
    support.density.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        // Every row is at no distance from itself.
        const double density = sums[i * width] + kUnit;
        for (std::size_t b = 0; b < options.repeats; ++b) {
            const double resampled = sums[i * width + 1 + b] + kUnit * static_cast<double>(weights[i * width + 1 + b]);
            strays[b] = std::max(strays[b], std::abs(resampled - density));
        }
        support.density[i] = density / kUnit / static_cast<double>(n);
    }
    support.threshold =
        strays.empty() ? 0.0 : quantile(std::span(strays), 1.0 - options.alpha) / kUnit / static_cast<double>(n);
}

/// Share of a set's own support that lies in the support of the other set; NaN if the support is empty.
double shareInside(const TopSupport& set, const TopSupport& other, const std::vector<double>& otherDensity) {
    std::size_t all = 0;
    std::size_t inside = 0;
    for (std::size_t i = 0; i < set.rows; ++i)
        if (set.density[i] > set.threshold) {
            ++all;
            inside += otherDensity[i] > other.threshold ? 1 : 0;
        }
    return all == 0 ? kNaN : static_cast<double>(inside) / static_cast<double>(all);
}

} // namespace

std::size_t topSupportBytes(std::size_t rows, std::size_t dim) {
    const TopOptions options;
    const std::size_t used = std::min(rows, options.mostRows);
    const std::size_t dimUsed = std::min(dim, options.projectedDim);
    const std::size_t pair = sizeof(float) + sizeof(std::uint32_t);
    return used * (2 * dimUsed * sizeof(float) + PointDistances::bytesPerRow(dimUsed) +
                   kPairsKept * options.neighborsPerDim * dimUsed * pair +
                   (2 + summingThreads(0)) * weightsPerRow(options) * sizeof(double) +
                   summingThreads(0) * kNearRowsPerTask * pair);
}

TopSupport topSupport(MatrixView set, const TopOptions& options, unsigned threads, const JobContext& job) {
    TopSupport support;
    const JobContext quiet = job.part({}, 0.0, 0.0);
    place(set, options, threads, quiet, support);
    const PointDistances points(support.points, support.rows, support.dim, threads, quiet);
    const Bandwidth bandwidth = findBandwidth(support, points, options, threads, quiet);
    const float squared = bandwidth.squared;
    support.bandwidth = std::sqrt(static_cast<double>(squared));
    support.squaredBandwidth = squared;
    support.threshold = kNaN;
    support.density.assign(support.rows, kNaN);
    if (!std::isnan(squared))
        band(support, points, bandwidth, options, {.threads = threads, .job = job});
    return support;
}

BothDensities densitiesAcross(const TopSupport& a, const TopSupport& b, unsigned threads, const JobContext& job) {
    BothDensities found{std::vector<double>(b.rows, kNaN), std::vector<double>(a.rows, kNaN)};
    if (std::isnan(a.bandwidth) || std::isnan(b.bandwidth))
        return found;
    const float limit = std::max(a.squaredBandwidth, b.squaredBandwidth);
    const PointDistances points(b.points, b.rows, b.dim, threads, job.part({}, 0.0, 0.0));
    const unsigned workers = summingThreads(threads);
    ExactSums partial(b.rows, workers);
    std::vector<NearLists> lists(workers);
    parallelRanges(a.rows, kNearRowsPerTask, workers, job, [&](std::size_t first, std::size_t last, unsigned worker) {
        double* ofA = partial.of(worker);
        std::vector<float> kernels;
        const auto take = [&](std::size_t i, const NearRows& rows) {
            kernels.resize(rows.count);
            cosineKernel(rows.squared, rows.count, a.squaredBandwidth, kernels.data());
            for (std::size_t h = 0; h < rows.count; ++h)
                ofA[rows.row[h]] += static_cast<double>(kernels[h]);
            cosineKernel(rows.squared, rows.count, b.squaredBandwidth, kernels.data());
            found.ofBAtA[i] = sumOf(kernels);
        };
        forNear({a, points, limit, Wanted::All}, first, last, lists[worker], take);
    });
    found.ofAAtB = partial.total();
    const auto kUnit = static_cast<double>(kKernelUnit);
    for (double& value : found.ofAAtB)
        value /= kUnit * static_cast<double>(a.rows);
    for (double& value : found.ofBAtA)
        value /= kUnit * static_cast<double>(b.rows);
    return found;
}

TopScores topScores(const TopSupport& real, const TopSupport& synthetic, unsigned threads, const JobContext& job) {
    if (std::isnan(real.bandwidth) || std::isnan(synthetic.bandwidth))
        return {kNaN, kNaN, kNaN};
    const BothDensities across = densitiesAcross(real, synthetic, threads, job);
    TopScores scores;
    scores.fidelity = shareInside(synthetic, real, across.ofAAtB);
    scores.diversity = shareInside(real, synthetic, across.ofBAtA);
    const double sum = scores.fidelity + scores.diversity;
    scores.f1 = sum > 0.0 ? 2.0 * scores.fidelity * scores.diversity / sum : sum;
    return scores;
}

} // namespace assay

#include "engine/metrics/embedding/top_support.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/linear/centre.h"
#include "engine/math/products/float_projection.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/embedding/squared_distances.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>

namespace assay {
namespace {

constexpr std::uint64_t kStream = 0x746f70; // sets these draws apart from others of the same seed

enum Draw : std::uint64_t { ProjectionDraw, OrderDraw, ResampleDraw };

demo::Random randomFor(const TopOptions& options, Draw draw) {
    return demo::Random::forItem(options.seed ^ kStream, draw);
}

/// Row indices in the order in which they are used, at most options.mostRows.
std::vector<std::size_t> rowsUsed(std::size_t rows, const TopOptions& options) {
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (options.shuffled || rows > options.mostRows)
        randomFor(options, OrderDraw).shuffle(order);
    order.resize(std::min(rows, options.mostRows));
    return order;
}

/// Random d x p projection matrix: normal entries with variance 2 / (d + p), as in the published program.
DoubleMatrix projection(std::size_t dim, const TopOptions& options) {
    demo::Random random = randomFor(options, ProjectionDraw);
    DoubleMatrix matrix(options.projectedDim, dim);
    const double scale = std::sqrt(2.0 / static_cast<double>(dim + options.projectedDim));
    for (double& value : matrix.values) { // Box and Muller
        const double length = std::sqrt(-2.0 * std::log(1.0 - random.uniform()));
        value = scale * length * std::cos(2.0 * std::numbers::pi * random.uniform());
    }
    return matrix;
}

/// Writes the used rows minus the centre to support.points, projected if they have more than options.projectedDim
/// dimensions.
void place(MatrixView set, const TopOptions& options, unsigned threads, const JobContext& job, TopSupport& support) {
    const std::vector<std::size_t> order = rowsUsed(set.rows, options);
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
    std::transform(order.begin(), order.end(), rows.begin(), [&](std::size_t r) { return set.rowData(r); });
    // Both sets are moved by the same, so that it need not be the mean to its last digit.
    const std::vector<float> centre(support.centre.begin(), support.centre.end());
    support.points = projectRows(rows, centre, directions, threads, job);
}

using Eigen::Index;
/// A row of weights or sums per point.
using RowSums = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Each row's weights in the sums: 1, then how often each resample draws it.
RowSums resampleWeights(std::size_t rows, const TopOptions& options) {
    demo::Random random = randomFor(options, ResampleDraw);
    RowSums weights = RowSums::Zero(static_cast<Index>(rows), static_cast<Index>(1 + options.repeats));
    weights.col(0) = 1.0;
    for (std::size_t b = 0; b < options.repeats; ++b)
        for (std::size_t draw = 0; draw < rows; ++draw)
            weights(static_cast<Index>(random.below(rows)), static_cast<Index>(1 + b)) += 1.0;
    return weights;
}

MatrixView viewOf(const TopSupport& support) {
    return {support.points.data(), support.rows, support.dim};
}

/// Balloon estimate: the square of the median distance to the k-th nearest later row, k = options.neighborsPerDim *
/// dimensions. NaN for too few rows, and for points or squares beyond float32.
float squaredBandwidth(const TopSupport& support, const TopOptions& options, unsigned threads, const JobContext& job) {
    const std::size_t k = options.neighborsPerDim * support.dim;
    const auto isFinite = [](float value) { return std::isfinite(value); };
    if (support.rows < k + 2 || !std::all_of(support.points.begin(), support.points.end(), isFinite))
        return std::numeric_limits<float>::quiet_NaN();
    std::vector<float> reach(support.rows - k);
    const MatrixView points = viewOf(support);
    SquaredDistances({points.data, reach.size(), points.dim}, points, threads, job.part({}, 0.0, 0.1))
        .each(job.part({}, 0.1, 1.0), [&](std::size_t i, std::span<const float> squared) {
            std::vector<float> later(squared.begin() + static_cast<std::ptrdiff_t>(i + 1), squared.end());
            reach[i] = orderStatistic(std::span(later), k - 1);
        });
    const float middle = orderStatistic(std::span(reach), reach.size() / 2 - 1); // the published rank
    return std::isfinite(middle) ? middle : std::numeric_limits<float>::quiet_NaN();
}

/// Per point of `at`: the sum over the set's points of their kernels there, times their weights.
/// @param weights one row per point of the set
/// @return one row per point of `at`, of as many sums as there are weights
RowSums kernelSums(const TopSupport& set, const RowSums& weights, const TopSupport& at, unsigned threads,
                   const JobContext& job) {
    RowSums sums = RowSums::Zero(static_cast<Index>(at.rows), weights.cols());
    // Points at no distance have the whole kernel, also where the bandwidth is none.
    const double scale = set.squaredBandwidth > 0.0F ? 1.0 / static_cast<double>(set.squaredBandwidth) : 0.0;
    SquaredDistances(viewOf(at), viewOf(set), threads, job.part({}, 0.0, 0.1))
        .each(job.part({}, 0.1, 1.0), [&](std::size_t i, std::span<const float> squared) {
            for (std::size_t j = 0; j < squared.size(); ++j) {
                if (!(squared[j] <= set.squaredBandwidth))
                    continue;
                const double share = std::sqrt(static_cast<double>(squared[j]) * scale);
                sums.row(static_cast<Index>(i)) +=
                    std::cos(std::numbers::pi / 2.0 * share) * weights.row(static_cast<Index>(j));
            }
        });
    return sums;
}

/// Density at the set's own points, and how far a resample's strays from it at most.
void band(TopSupport& support, const TopOptions& options, unsigned threads, const JobContext& job) {
    const RowSums sums = kernelSums(support, resampleWeights(support.rows, options), support, threads, job) /
                         static_cast<double>(support.rows);
    for (std::size_t i = 0; i < support.rows; ++i)
        support.density[i] = sums(static_cast<Index>(i), 0);
    std::vector<double> strays;
    for (Index b = 1; b < sums.cols(); ++b)
        strays.push_back((sums.col(b) - sums.col(0)).abs().maxCoeff());
    support.threshold = strays.empty() ? 0.0 : quantile(std::span(strays), 1.0 - options.alpha);
}

/// Densities of a set at another one's points.
std::vector<double> densityAt(const TopSupport& set, const TopSupport& at, unsigned threads, const JobContext& job) {
    const RowSums one = RowSums::Ones(static_cast<Index>(set.rows), 1);
    const RowSums sums = kernelSums(set, one, at, threads, job) / static_cast<double>(set.rows);
    return {sums.data(), sums.data() + sums.size()};
}

std::size_t countAbove(const TopSupport& support) {
    return static_cast<std::size_t>(std::count_if(support.density.begin(), support.density.end(),
                                                  [&](double value) { return value > support.threshold; }));
}

/// Share of a set's own support that lies in the support of the other set; NaN if the support is empty.
double shareInside(const TopSupport& set, const TopSupport& other, const std::vector<double>& otherDensity) {
    std::size_t inside = 0;
    for (std::size_t i = 0; i < set.rows; ++i)
        inside += set.density[i] > set.threshold && otherDensity[i] > other.threshold ? 1U : 0U;
    const std::size_t all = countAbove(set);
    return all == 0 ? kNaN : static_cast<double>(inside) / static_cast<double>(all);
}

} // namespace

std::size_t topSupportBytes(std::size_t rows, std::size_t dim) {
    const TopOptions options;
    const std::size_t used = std::min(rows, options.mostRows);
    const std::size_t dimUsed = std::min(dim, options.projectedDim);
    // Both operands of the distances and their rows, one block of distances per core, weights and sums.
    return used * (4 * dimUsed * sizeof(float) + resolveThreads(0) * SquaredDistances::kBlock * sizeof(float) +
                   3 * (1 + options.repeats) * sizeof(double));
}

TopSupport topSupport(MatrixView set, const TopOptions& options, unsigned threads, const JobContext& job) {
    TopSupport support;
    place(set, options, threads, job.part({}, 0.0, 0.0), support);
    support.squaredBandwidth = squaredBandwidth(support, options, threads, job.part({}, 0.0, 0.4));
    support.bandwidth = std::sqrt(static_cast<double>(support.squaredBandwidth));
    support.threshold = kNaN;
    support.density.assign(support.rows, kNaN);
    if (!std::isnan(support.bandwidth))
        band(support, options, threads, job.part({}, 0.4, 1.0));
    return support;
}

BothDensities densitiesAcross(const TopSupport& a, const TopSupport& b, unsigned threads, const JobContext& job) {
    if (std::isnan(a.bandwidth) || std::isnan(b.bandwidth))
        return {std::vector<double>(b.rows, kNaN), std::vector<double>(a.rows, kNaN)};
    return {densityAt(a, b, threads, job.part({}, 0.0, 0.5)), densityAt(b, a, threads, job.part({}, 0.5, 1.0))};
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

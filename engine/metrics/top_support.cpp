#include "engine/metrics/top_support.h"

#include "engine/demo/random.h"
#include "engine/job/parallel.h"
#include "engine/stats/dense_product.h"
#include "engine/stats/gaussian_fit.h"
#include "engine/stats/point_distances.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace assay {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kRowsPerTask = 64;
constexpr std::size_t kQueries = PointDistances::kQueries;
constexpr std::uint64_t kStream = 0x746f70; // sets these draws apart from others of the same seed

enum Draw : std::uint64_t { ProjectionDraw, OrderDraw, ResampleDraw };

demo::Random randomFor(const TopOptions& options, Draw draw) {
    return demo::Random::forItem(options.seed ^ kStream, draw);
}

/// Rows in the order in which they are used, at most options.mostRows.
std::vector<std::size_t> rowsUsed(std::size_t rows, const TopOptions& options) {
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (options.shuffled || rows > options.mostRows)
        randomFor(options, OrderDraw).shuffle(order);
    order.resize(std::min(rows, options.mostRows));
    return order;
}

/// Entries of a d x p projection, normal with variance 2 / (d + p) as in the published program.
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

/// The rows used, less the centre, projected where they have more than options.projectedDim dimensions.
void place(MatrixView set, const TopOptions& options, unsigned threads, const JobContext& job, TopSupport& support) {
    const std::vector<std::size_t> order = rowsUsed(set.rows, options);
    support.centre = options.centre.empty() ? columnMeans(set, threads, job) : options.centre;
    support.rows = order.size();
    const bool projected = set.dim > options.projectedDim;
    support.dim = projected ? options.projectedDim : set.dim;
    support.points.resize(support.rows * support.dim);
    if (!projected) {
        for (std::size_t r = 0; r < support.rows; ++r)
            for (std::size_t c = 0; c < set.dim; ++c)
                support.points[r * set.dim + c] =
                    static_cast<float>(static_cast<double>(set.rowData(order[r])[c]) - support.centre[c]);
        return;
    }
    const DoubleMatrix directions = projection(set.dim, options);
    const ProductVectors rows{support.rows, set.dim, [&](const ProductVectors::Piece& piece, double* panel) {
                                  const double* centre = support.centre.data() + piece.from;
                                  for (std::size_t v = 0; v < piece.vectors; ++v) {
                                      const float* from = set.rowData(order[piece.first + v]) + piece.from;
                                      for (std::size_t k = 0; k < piece.length; ++k)
                                          panel[k * piece.width + v] = static_cast<double>(from[k]) - centre[k];
                                  }
                              }};
    const DoubleMatrix image = productOf(rows, rowsOf(directions), threads, job);
    std::transform(image.values.begin(), image.values.end(), support.points.begin(),
                   [](double x) { return static_cast<float>(x); });
}

/// Query rows that one task looks at.
struct NearTask {
    std::size_t firstQuery, lastQuery;
};

constexpr std::size_t tasksFor(std::size_t queries) {
    return (queries + kRowsPerTask - 1) / kRowsPerTask;
}

NearTask nearTask(std::size_t task, std::size_t queries) {
    return {task * kRowsPerTask, std::min(queries, (task + 1) * kRowsPerTask)};
}

/// Calls take(query row, place among those measured together, what was found near it) for a task's query rows and one
/// block of `base` after the other, from the one that holds row `from(query row)` on.
template <typename From, typename Take, typename Done>
void forNear(const NearTask& range, float limit, const TopSupport& queries, const PointDistances& base, From from,
             Take take, Done done) {
    std::array<PointDistances::Found, kQueries> found; // NOLINT(cppcoreguidelines-init-variables)
    for (std::size_t first = range.firstQuery; first < range.lastQuery; first += kQueries) {
        const float* rows[kQueries];
        const std::size_t count = std::min(kQueries, range.lastQuery - first);
        for (std::size_t q = 0; q < kQueries; ++q)
            rows[q] = queries.points.data() + (first + std::min(q, count - 1)) * queries.dim;
        for (std::size_t block = from(first) / PointDistances::kBlock; block < base.blocks(); ++block) {
            base.near(rows, block, limit, found);
            for (std::size_t q = 0; q < count; ++q)
                take(first + q, q, found[q]);
        }
        for (std::size_t q = 0; q < count; ++q)
            done(first + q, q);
    }
}

std::size_t theFirst(std::size_t) {
    return 0;
}

void nothing(std::size_t, std::size_t) {}

float nthSmallest(std::vector<float>& values, std::size_t n) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(n);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// A squared distance that about three quarters of the rows have their k-th later row within.
float guessedReach(const TopSupport& support, std::size_t k) {
    constexpr std::size_t kSample = 64;
    const std::size_t usable = support.rows - k;
    std::vector<float> reach;
    std::vector<float> squared;
    for (std::size_t s = 0; s < std::min(kSample, usable); ++s) {
        const std::size_t i = s * usable / std::min(kSample, usable);
        squared.clear();
        for (std::size_t j = i + 1; j < support.rows; ++j) {
            float sum = 0.0F;
            for (std::size_t c = 0; c < support.dim; ++c) {
                const float apart = support.points[i * support.dim + c] - support.points[j * support.dim + c];
                sum += apart * apart;
            }
            squared.push_back(sum);
        }
        reach.push_back(nthSmallest(squared, k - 1));
    }
    return nthSmallest(reach, reach.size() * 3 / 4);
}

/// Squared distance of each of the first rows to its k-th nearest later row; infinite where that is beyond `limit`.
std::vector<float> reaches(const TopSupport& support, const PointDistances& points, std::size_t k, float limit,
                           unsigned threads, const JobContext& job) {
    const std::size_t usable = support.rows - k;
    std::vector<float> reach(usable, std::numeric_limits<float>::infinity());
    parallelFor(tasksFor(usable), threads, job, [&](std::size_t task, unsigned) {
        std::array<std::vector<float>, kQueries> near;
        const auto itself = [](std::size_t i) { return i; };
        const auto take = [&](std::size_t i, std::size_t q, const PointDistances::Found& found) {
            const auto later = std::upper_bound(found.row.begin(), found.row.begin() + found.count, i);
            const auto skipped = later - found.row.begin();
            near[q].insert(near[q].end(), found.squared.begin() + skipped, found.squared.begin() + found.count);
        };
        const auto done = [&](std::size_t i, std::size_t q) {
            if (near[q].size() >= k)
                reach[i] = nthSmallest(near[q], k - 1);
            near[q].clear();
        };
        forNear(nearTask(task, usable), limit, support, points, itself, take, done);
    });
    return reach;
}

/// Balloon estimate: the square of the median distance to the k-th nearest later row. NaN for too few rows.
float squaredBandwidth(const TopSupport& support, const PointDistances& points, const TopOptions& options,
                       unsigned threads, const JobContext& job) {
    const std::size_t k = options.neighborsPerDim * support.dim;
    if (support.rows < k + 2)
        return std::numeric_limits<float>::quiet_NaN();
    const std::size_t middle = (support.rows - k) / 2 - 1; // the published program's rank
    for (float limit = guessedReach(support, k); std::isfinite(limit);
         limit = std::max(limit * 2.0F, std::numeric_limits<float>::min())) {
        std::vector<float> reach = reaches(support, points, k, limit, threads, job);
        const float found = nthSmallest(reach, middle);
        if (std::isfinite(found))
            return found;
    }
    return std::numeric_limits<float>::quiet_NaN(); // squares beyond float32
}

/// How often each row is drawn in each resample: rows x repeats.
std::vector<double> resampleCounts(std::size_t rows, const TopOptions& options) {
    demo::Random random = randomFor(options, ResampleDraw);
    std::vector<double> counts(rows * options.repeats, 0.0);
    for (std::size_t b = 0; b < options.repeats; ++b)
        for (std::size_t draw = 0; draw < rows; ++draw)
            counts[random.below(rows) * options.repeats + b] += 1.0;
    return counts;
}

/// The quantile as NumPy takes it, between the two values around it.
double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double at = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

void kernelOf(const PointDistances::Found& found, float squaredBandwidth, double* values) {
    cosineKernel(found.squared.data(), found.count,
                 squaredBandwidth > 0.0F ? 1.0 / static_cast<double>(squaredBandwidth) : 0.0, values);
}

/// Density at the set's own points, and how far a resample's strays from it at most.
void band(TopSupport& support, const PointDistances& points, float squaredBandwidth, const TopOptions& options,
          unsigned threads, const JobContext& job) {
    const std::size_t n = support.rows;
    const std::size_t repeats = options.repeats;
    const std::vector<double> drawn = resampleCounts(n, options);
    support.density.assign(n, 0.0);
    std::vector<double> resampled(n * repeats, 0.0);
    parallelFor(tasksFor(n), threads, job, [&](std::size_t task, unsigned) {
        std::array<double, PointDistances::kBlock> values; // NOLINT(cppcoreguidelines-init-variables)
        const auto take = [&](std::size_t i, std::size_t, const PointDistances::Found& found) {
            kernelOf(found, squaredBandwidth, values.data());
            double* sums = resampled.data() + i * repeats;
            for (std::size_t h = 0; h < found.count; ++h) {
                support.density[i] += values[h];
                const double* times = drawn.data() + found.row[h] * repeats;
                for (std::size_t b = 0; b < repeats; ++b)
                    sums[b] += values[h] * times[b];
            }
        };
        forNear(nearTask(task, n), squaredBandwidth, support, points, theFirst, take, nothing);
    });
    std::vector<double> strays(repeats, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t b = 0; b < repeats; ++b)
            strays[b] = std::max(strays[b], std::abs(resampled[i * repeats + b] - support.density[i]));
    for (double& value : support.density)
        value /= static_cast<double>(n);
    support.threshold = repeats == 0 ? 0.0 : quantile(std::move(strays), 1.0 - options.alpha) / static_cast<double>(n);
}

std::size_t countAbove(const TopSupport& support) {
    return static_cast<std::size_t>(std::count_if(support.density.begin(), support.density.end(),
                                                  [&](double value) { return value > support.threshold; }));
}

/// Share of a set's own support that lies in the other one's.
double shareInside(const TopSupport& set, const TopSupport& other, const std::vector<double>& otherDensity) {
    std::size_t inside = 0;
    for (std::size_t i = 0; i < set.rows; ++i)
        inside += set.density[i] > set.threshold && otherDensity[i] > other.threshold ? 1U : 0U;
    const std::size_t all = countAbove(set);
    return all == 0 ? kNone : static_cast<double>(inside) / static_cast<double>(all);
}

} // namespace

TopSupport topSupport(MatrixView set, const TopOptions& options, unsigned threads, const JobContext& job) {
    TopSupport support;
    const JobContext quiet = job.part({}, 0.0, 0.0);
    place(set, options, threads, quiet, support);
    const PointDistances points(support.points, support.rows, support.dim);
    const float squared = squaredBandwidth(support, points, options, threads, quiet);
    support.bandwidth = std::sqrt(static_cast<double>(squared));
    support.threshold = kNone;
    support.density.assign(support.rows, kNone);
    if (!std::isnan(squared))
        band(support, points, squared, options, threads, job);
    return support;
}

std::vector<double> densityAt(const TopSupport& of, const TopSupport& at, unsigned threads, const JobContext& job) {
    std::vector<double> density(at.rows, kNone);
    if (std::isnan(of.bandwidth))
        return density;
    std::fill(density.begin(), density.end(), 0.0);
    const auto limit = static_cast<float>(of.bandwidth * of.bandwidth);
    const PointDistances points(of.points, of.rows, of.dim);
    parallelFor(tasksFor(at.rows), threads, job, [&](std::size_t task, unsigned) {
        std::array<double, PointDistances::kBlock> values; // NOLINT(cppcoreguidelines-init-variables)
        const auto take = [&](std::size_t i, std::size_t, const PointDistances::Found& found) {
            kernelOf(found, limit, values.data());
            for (std::size_t h = 0; h < found.count; ++h)
                density[i] += values[h];
        };
        forNear(nearTask(task, at.rows), limit, at, points, theFirst, take, nothing);
    });
    for (double& value : density)
        value /= static_cast<double>(of.rows);
    return density;
}

TopScores topScores(const TopSupport& real, const TopSupport& synthetic, unsigned threads, const JobContext& job) {
    if (std::isnan(real.bandwidth) || std::isnan(synthetic.bandwidth))
        return {kNone, kNone, kNone};
    TopScores scores;
    scores.fidelity = shareInside(synthetic, real, densityAt(real, synthetic, threads, job.part({}, 0.0, 0.5)));
    scores.diversity = shareInside(real, synthetic, densityAt(synthetic, real, threads, job.part({}, 0.5, 1.0)));
    const double sum = scores.fidelity + scores.diversity;
    scores.f1 = sum > 0.0 ? 2.0 * scores.fidelity * scores.diversity / sum : sum;
    return scores;
}

} // namespace assay

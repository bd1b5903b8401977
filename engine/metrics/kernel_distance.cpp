#include "engine/metrics/kernel_distance.h"

#include "engine/demo/random.h"
#include "engine/job/error.h"
#include "engine/job/parallel.h"
#include "engine/stats/one_openmp_thread.h"

#include <dnnl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <string>

namespace assay {
namespace {

constexpr std::size_t kSubsetRows = 1000;
constexpr std::size_t kFewestSubsets = 10;
constexpr std::size_t kMostSubsets = 100;
constexpr std::size_t kStrip = 128;         // rows of a product that one task makes
constexpr std::size_t kCentreRows = 256;    // enough to take off an offset that all rows have
constexpr std::uint64_t kStream = 0x6b6964; // sets these draws apart from others of the same seed

/// Rows of a set in random order, again and again, shuffled anew each time.
class Deck {
public:
    Deck(std::size_t rows, demo::Random random) : random_(random), order_(rows), at_(rows) {
        std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    }

    /// @param count at most the number of rows
    std::vector<std::uint32_t> draw(std::size_t count) {
        if (at_ + count > order_.size()) {
            random_.shuffle(order_);
            at_ = 0;
        }
        const auto first = order_.begin() + static_cast<std::ptrdiff_t>(at_);
        at_ += count;
        return {first, first + static_cast<std::ptrdiff_t>(count)};
    }

private:
    demo::Random random_;
    std::vector<std::uint32_t> order_;
    std::size_t at_;
};

std::vector<float> centreOf(MatrixView set) {
    const std::size_t rows = std::min(set.rows, kCentreRows);
    std::vector<double> sum(set.dim, 0.0);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < set.dim; ++c)
            sum[c] += static_cast<double>(set.rowData(r)[c]);
    std::vector<float> centre(set.dim);
    for (std::size_t c = 0; c < set.dim; ++c)
        centre[c] = static_cast<float>(sum[c] / static_cast<double>(rows));
    return centre;
}

/// Some rows x of a set as x' = x - c, and what turns products of x' and y' into those of x and y:
/// x . y = x' . y' + term_x + term_y with term_x = x . c - c . c / 2.
struct CentredRows {
    std::size_t dim = 0;
    std::vector<float> values;
    std::vector<double> terms;

    std::size_t count() const { return terms.size(); }

    void gather(MatrixView set, std::span<const std::uint32_t> rows, std::span<const float> centre, unsigned threads,
                const JobContext& job) {
        dim = set.dim;
        values.resize(rows.size() * dim);
        terms.resize(rows.size());
        parallelFor((rows.size() + kStrip - 1) / kStrip, threads, job, [&](std::size_t task, unsigned) {
            for (std::size_t i = task * kStrip; i < std::min(rows.size(), (task + 1) * kStrip); ++i)
                terms[i] = copyRow(set.rowData(rows[i]), centre, values.data() + i * dim);
        });
    }

private:
    static double copyRow(const float* from, std::span<const float> centre, float* to) {
        double sum = 0.0;
        for (std::size_t c = 0; c < centre.size(); ++c) {
            to[c] = from[c] - centre[c];
            sum +=
                (static_cast<double>(from[c]) - 0.5 * static_cast<double>(centre[c])) * static_cast<double>(centre[c]);
        }
        return sum;
    }
};

/// Which pairs of rows are added up.
enum class Pairs { All, Above }; ///< Above: those of a row with later rows of the same set

double kernelSum(const float* products, std::size_t count, double rowTerm, const double* terms, double gamma) {
    std::array<double, 4> sums{};
    std::size_t j = 0;
    const auto kernel = [&](std::size_t at) {
        const double t = gamma * (static_cast<double>(products[at]) + rowTerm + terms[at]) + 1.0;
        return t * t * t;
    };
    for (; j + sums.size() <= count; j += sums.size())
        for (std::size_t s = 0; s < sums.size(); ++s)
            sums[s] += kernel(j + s);
    for (; j < count; ++j)
        sums[0] += kernel(j);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// Sum of the kernel over the pairs of rows [first, first + kStrip) of x with rows of y.
double stripSum(const CentredRows& x, const CentredRows& y, std::size_t first, Pairs pairs, std::vector<float>& tile) {
    const OneOpenMpThread alone;
    const std::size_t rows = std::min(kStrip, x.count() - first);
    const std::size_t skipped = pairs == Pairs::Above ? first : 0;
    const std::size_t columns = y.count() - skipped;
    tile.resize(kStrip * y.count());
    const auto dim = static_cast<dnnl_dim_t>(x.dim);
    const dnnl_status_t status =
        dnnl_sgemm('N', 'T', static_cast<dnnl_dim_t>(rows), static_cast<dnnl_dim_t>(columns), dim, 1.0F,
                   x.values.data() + first * x.dim, dim, y.values.data() + skipped * x.dim, dim, 0.0F, tile.data(),
                   static_cast<dnnl_dim_t>(columns));
    if (status == dnnl_out_of_memory)
        throw std::bad_alloc();
    if (status != dnnl_success)
        throw Error(ErrorKind::InvalidArgument,
                    "kernel distance: expected oneDNN status 0, found " + std::to_string(status));
    const double gamma = 1.0 / static_cast<double>(x.dim);
    double sum = 0.0;
    for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t from = pairs == Pairs::Above ? r + 1 : 0;
        sum += kernelSum(tile.data() + r * columns + from, columns - from, x.terms[first + r],
                         y.terms.data() + skipped + from, gamma);
    }
    return sum;
}

double unbiasedDistance(const CentredRows& x, const CentredRows& y, unsigned threads, const JobContext& job) {
    const std::size_t stripsX = (x.count() + kStrip - 1) / kStrip;
    const std::size_t stripsY = (y.count() + kStrip - 1) / kStrip;
    std::vector<double> sums(2 * stripsX + stripsY);
    std::vector<std::vector<float>> tiles(resolveThreads(threads));
    parallelFor(sums.size(), threads, job, [&](std::size_t task, unsigned worker) {
        std::vector<float>& tile = tiles[worker];
        if (task < stripsX)
            sums[task] = stripSum(x, y, task * kStrip, Pairs::All, tile);
        else if (task < 2 * stripsX)
            sums[task] = stripSum(x, x, (task - stripsX) * kStrip, Pairs::Above, tile);
        else
            sums[task] = stripSum(y, y, (task - 2 * stripsX) * kStrip, Pairs::Above, tile);
    });
    const auto between = sums.begin() + static_cast<std::ptrdiff_t>(stripsX);
    const auto second = between + static_cast<std::ptrdiff_t>(stripsX);
    const auto m = static_cast<double>(x.count());
    const auto n = static_cast<double>(y.count());
    return 2.0 * std::accumulate(between, second, 0.0) / (m * (m - 1.0)) +
           2.0 * std::accumulate(second, sums.end(), 0.0) / (n * (n - 1.0)) -
           2.0 * std::accumulate(sums.begin(), between, 0.0) / (m * n);
}

} // namespace

std::vector<KernelSubset> kernelSubsets(std::size_t rowsA, std::size_t rowsB, std::uint64_t seed) {
    const std::size_t size = std::min({kSubsetRows, rowsA, rowsB});
    const std::size_t longest = std::max(rowsA, rowsB);
    if (size == 0)
        return {};
    const std::size_t count =
        longest == size ? 1 : std::clamp((longest + size - 1) / size, kFewestSubsets, kMostSubsets);
    Deck a(rowsA, demo::Random::forItem(seed ^ kStream, 0));
    Deck b(rowsB, demo::Random::forItem(seed ^ kStream, 1));
    std::vector<KernelSubset> subsets(count);
    for (KernelSubset& subset : subsets)
        subset = {a.draw(size), b.draw(size)};
    return subsets;
}

KernelDistance kernelDistance(MatrixView a, MatrixView b, std::span<const KernelSubset> subsets, unsigned threads,
                              const JobContext& job) {
    if (a.dim != b.dim)
        throw Error(ErrorKind::InvalidArgument,
                    "kernel distance: expected " + std::to_string(a.dim) + " columns, found " + std::to_string(b.dim));
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (subsets.empty() || subsets.front().a.size() < 2 || subsets.front().b.size() < 2)
        return {kNone, kNone};
    const std::vector<float> centre = centreOf(a);
    CentredRows x;
    CentredRows y;
    std::vector<double> distances;
    for (const KernelSubset& subset : subsets) {
        const double done = static_cast<double>(distances.size()) / static_cast<double>(subsets.size());
        const JobContext quiet = job.part({}, done, done);
        x.gather(a, subset.a, centre, threads, quiet);
        y.gather(b, subset.b, centre, threads, quiet);
        distances.push_back(unbiasedDistance(x, y, threads, quiet));
    }
    const auto count = static_cast<double>(distances.size());
    const double mean = std::accumulate(distances.begin(), distances.end(), 0.0) / count;
    double squares = 0.0;
    for (const double distance : distances)
        squares += (distance - mean) * (distance - mean);
    return {mean, std::sqrt(squares / count)};
}

} // namespace assay

#include "engine/metrics/embedding/kernel_distance.h"

#include "engine/base/error.h"
#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/tables/compared_rows.h"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

namespace assay {
namespace {

constexpr std::size_t kSubsetRows = 1000;
constexpr std::size_t kFewestSubsets = 10;
constexpr std::size_t kMaxSubsets = 100;
constexpr std::size_t kRowsPerSum = 48;
constexpr std::size_t kChunk = 256;         // coordinates summed in single precision
constexpr std::size_t kCentreRows = 256;    // enough to remove an offset common to all rows
constexpr std::uint64_t kStream = 0x6b6964; // sets these draws apart from others of the same seed

/// Draws rows of a set in random order without replacement, and shuffles again when too few are left.
class Deck {
public:
    Deck(std::size_t rows, Random random) : random_(random), order_(rows), at_(rows) {
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
    Random random_;
    std::vector<std::uint32_t> order_;
    std::size_t at_;
};

/// Length that rows are given.
enum class Length { Own, One };

double scaleOf(std::span<const float> row, Length length) {
    if (length == Length::Own)
        return 1.0;
    double square = 0.0;
    for (const float x : row)
        square += static_cast<double>(x) * static_cast<double>(x);
    return square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
}

std::vector<float> centreOf(MatrixView set, std::span<const std::uint32_t> subset, Length length = Length::Own) {
    const std::size_t rows = std::min(subset.size(), kCentreRows);
    std::vector<double> sum(set.dim, 0.0);
    for (std::size_t r = 0; r < rows; ++r) {
        const double scale = scaleOf(set.row(subset[r]), length);
        for (std::size_t c = 0; c < set.dim; ++c)
            sum[c] += scale * static_cast<double>(set.rowData(subset[r])[c]);
    }
    std::vector<float> centre(set.dim);
    for (std::size_t c = 0; c < set.dim; ++c)
        centre[c] = static_cast<float>(sum[c] / static_cast<double>(rows));
    return centre;
}

using Index = Eigen::Index;
using FloatRows = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using DoubleRows = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Some rows x of a set as x' = x - c, and the terms that convert products of x' and y' to those of x and y:
/// x . y = x' . y' + term_x + term_y with term_x = x' . c + c . c / 2. Squares are x' . x'.
class CentredRows {
public:
    CentredRows(MatrixView set, std::span<const std::uint32_t> rows, std::span<const float> centre, unsigned threads,
                const JobContext& job, Length length = Length::Own)
        : count_(rows.size()), dim_(set.dim), values_(makeLargeArray<float>(rows.size() * set.dim)),
          terms_(static_cast<Index>(rows.size())), squares_(static_cast<Index>(rows.size())) {
        const Eigen::Map<const Eigen::ArrayXf> c(centre.data(), static_cast<Index>(dim_));
        const double halfSquare = 0.5 * c.cast<double>().square().sum();
        parallelFor(rows.size(), threads, job, [&](std::size_t i, unsigned) {
            const Eigen::Map<const Eigen::ArrayXf> row(set.rowData(rows[i]), static_cast<Index>(dim_));
            Eigen::ArrayXf moved = row - c;
            if (length == Length::One)
                moved = (scaleOf(set.row(rows[i]), length) * row.cast<double>()).cast<float>() - c;
            squares_[static_cast<Index>(i)] = moved.cast<double>().square().sum();
            terms_[static_cast<Index>(i)] = (moved.cast<double>() * c.cast<double>()).sum() + halfSquare;
            for (std::size_t first = 0; first < dim_; first += kChunk)
                std::copy_n(moved.data() + first, chunkSize(first), values_.get() + place(first, i));
        });
    }

    std::size_t count() const { return count_; }
    std::size_t dim() const { return dim_; }
    const Eigen::ArrayXd& terms() const { return terms_; }
    const Eigen::ArrayXd& squares() const { return squares_; }

    /// The coordinates from `first`, a multiple of kChunk, to the end of their chunk, of some rows.
    FloatFactor chunk(std::size_t first, std::size_t row, std::size_t rows, FloatFactor::Use use) const {
        return {values_.get() + place(first, row), rows, chunkSize(first), use};
    }

private:
    std::size_t chunkSize(std::size_t first) const { return std::min(kChunk, dim_ - first); }
    /// Rows lie chunk by chunk.
    std::size_t place(std::size_t first, std::size_t row) const { return first * count_ + row * chunkSize(first); }

    std::size_t count_, dim_;
    LargeArray<float> values_;
    Eigen::ArrayXd terms_, squares_;
};

/// Pairs of rows that a sum covers.
enum class Pairs { All, Below }; ///< Below: each row with the earlier rows of the same set

/// Inner products of the rows [first, first + rows) of x with the first `columns` rows of y.
DoubleRows productsOf(const CentredRows& x, const CentredRows& y, std::size_t first, std::size_t rows,
                      std::size_t columns) {
    FloatRows part(static_cast<Index>(rows), static_cast<Index>(columns));
    DoubleRows products = DoubleRows::Zero(part.rows(), part.cols());
    for (std::size_t chunk = 0; chunk < x.dim(); chunk += kChunk) {
        multiply(x.chunk(chunk, first, rows, FloatFactor::Use::AsItIs),
                 y.chunk(chunk, 0, columns, FloatFactor::Use::Transposed), Into::Replace, part.data());
        products += part.cast<double>();
    }
    return products;
}

/// Sum of the kernel over the pairs of the rows [first, first + rows) of x with rows of y.
double kernelSum(const CentredRows& x, const CentredRows& y, Pairs pairs, std::size_t first, std::size_t rows,
                 PairKernel kernel) {
    const std::size_t columns = pairs == Pairs::All ? y.count() : first + rows;
    const DoubleRows products = productsOf(x, y, first, rows, columns);
    double sum = 0.0;
    for (Index i = 0; i < products.rows(); ++i) {
        const auto row = static_cast<Index>(first) + i;
        const Index count = pairs == Pairs::All ? products.cols() : row;
        const auto product = products.row(i).head(count).transpose();
        if (kernel.gamma > 0.0)
            sum += ((2.0 * product - x.squares()[row] - y.squares().head(count)).min(0.0) * kernel.gamma).exp().sum();
        else
            sum +=
                ((product + x.terms()[row] + y.terms().head(count)) / static_cast<double>(x.dim()) + 1.0).cube().sum();
    }
    return sum;
}

/// Means of a kernel over the pairs of rows of two sets, and over those of each set.
struct KernelMeans {
    double across, withinX, withinY;

    double unbiased() const { return withinX + withinY - 2.0 * across; }
    /// With the pairs of each row and itself, whose kernel is 1.
    double biased(double rowsX, double rowsY) const {
        return unbiased() + (1.0 - withinX) / rowsX + (1.0 - withinY) / rowsY;
    }
};

KernelMeans kernelMeans(const CentredRows& x, const CentredRows& y, PairKernel kernel, unsigned threads,
                        const JobContext& job) {
    struct Part {
        const CentredRows& x;
        const CentredRows& y;
        Pairs pairs;
        std::vector<double> sums;
    };
    std::array<Part, 3> parts{{{x, y, Pairs::All, {}}, {x, x, Pairs::Below, {}}, {y, y, Pairs::Below, {}}}};
    const std::size_t tasks = (std::max(x.count(), y.count()) + kRowsPerSum - 1) / kRowsPerSum;
    for (Part& part : parts)
        part.sums.resize(tasks);
    parallelFor(parts.size() * tasks, threads, job, [&](std::size_t task, unsigned) {
        Part& part = parts[task / tasks];
        const std::size_t sum = tasks - 1 - task % tasks; // the last rows have the most rows below them
        const std::size_t first = sum * kRowsPerSum;
        if (first < part.x.count())
            part.sums[sum] =
                kernelSum(part.x, part.y, part.pairs, first, std::min(kRowsPerSum, part.x.count() - first), kernel);
    });
    std::array<double, 3> total{};
    for (std::size_t p = 0; p < parts.size(); ++p)
        total[p] = std::accumulate(parts[p].sums.begin(), parts[p].sums.end(), 0.0);
    const auto m = static_cast<double>(x.count());
    const auto n = static_cast<double>(y.count());
    return {total[0] / (m * n), 2.0 * total[1] / (m * (m - 1.0)), 2.0 * total[2] / (n * (n - 1.0))};
}

/// Median distance of two rows, the lower one of an even number of distances.
double medianDistance(const CentredRows& rows, unsigned threads, const JobContext& job) {
    const std::size_t count = rows.count();
    std::vector<float> squares(count * (count - 1) / 2);
    const std::size_t tasks = (count + kRowsPerSum - 1) / kRowsPerSum;
    parallelFor(tasks, threads, job, [&](std::size_t task, unsigned) {
        const std::size_t first = task * kRowsPerSum;
        const std::size_t used = std::min(kRowsPerSum, count - first);
        const DoubleRows products = productsOf(rows, rows, first, used, first + used);
        for (std::size_t i = first; i < first + used; ++i)
            for (std::size_t j = 0; j < i; ++j)
                squares[i * (i - 1) / 2 + j] =
                    static_cast<float>(rows.squares()[static_cast<Index>(i)] + rows.squares()[static_cast<Index>(j)] -
                                       2.0 * products(static_cast<Index>(i - first), static_cast<Index>(j)));
    });
    const auto middle = squares.begin() + static_cast<std::ptrdiff_t>((squares.size() - 1) / 2);
    std::nth_element(squares.begin(), middle, squares.end());
    return std::sqrt(std::max(0.0, static_cast<double>(*middle)));
}

} // namespace

std::vector<KernelSubset> kernelSubsets(std::size_t rowsA, std::size_t rowsB, std::uint64_t seed) {
    const std::size_t size = std::min({kSubsetRows, rowsA, rowsB});
    const std::size_t longest = std::max(rowsA, rowsB);
    if (size == 0)
        return {};
    const std::size_t count =
        longest == size ? 1 : std::clamp((longest + size - 1) / size, kFewestSubsets, kMaxSubsets);
    Deck a(rowsA, Random::forItem(seed ^ kStream, 0));
    Deck b(rowsB, Random::forItem(seed ^ kStream, 1));
    std::vector<KernelSubset> subsets(count);
    for (KernelSubset& subset : subsets)
        subset = {a.draw(size), b.draw(size)};
    return subsets;
}

std::vector<KernelSubset> kernelSubsetsOf(MatrixView a, MatrixView b, std::uint64_t seed, unsigned threads) {
    std::vector<KernelSubset> subsets = kernelSubsets(a.rows, b.rows, seed);
    const std::vector<std::uint32_t> orderA = contentOrder(a, {}, seed, threads);
    const std::vector<std::uint32_t> orderB = contentOrder(b, {}, seed, threads);
    for (KernelSubset& subset : subsets) {
        for (std::uint32_t& row : subset.a)
            row = orderA[row];
        for (std::uint32_t& row : subset.b)
            row = orderB[row];
    }
    return subsets;
}

KernelDistance kernelDistance(MatrixView a, MatrixView b, std::span<const KernelSubset> subsets, unsigned threads,
                              const JobContext& job, PairKernel kernel) {
    if (a.dim != b.dim)
        throw Error(ErrorKind::InvalidArgument,
                    "kernel distance: expected " + std::to_string(a.dim) + " columns, found " + std::to_string(b.dim));
    if (subsets.empty() || subsets.front().a.size() < 2 || subsets.front().b.size() < 2)
        return {kNaN, kNaN};
    const std::vector<float> centre = centreOf(a, subsets.front().a);
    requireSinglePrecision();
    std::vector<double> distances;
    for (const KernelSubset& subset : subsets) {
        const double done = static_cast<double>(distances.size()) / static_cast<double>(subsets.size());
        const JobContext quiet = job.part({}, done, done);
        const CentredRows x(a, subset.a, centre, threads, quiet);
        const CentredRows y(b, subset.b, centre, threads, quiet);
        distances.push_back(kernelMeans(x, y, kernel, threads, quiet).unbiased());
    }
    const auto count = static_cast<double>(distances.size());
    const double mean = std::accumulate(distances.begin(), distances.end(), 0.0) / count;
    double squares = 0.0;
    for (const double distance : distances)
        squares += (distance - mean) * (distance - mean);
    return {mean, std::sqrt(squares / count)};
}

double biasedKernelDistance(MatrixView a, MatrixView b, PairKernel kernel, unsigned threads, const JobContext& job) {
    requireSinglePrecision();
    const auto allOf = [](MatrixView set) {
        std::vector<std::uint32_t> rows(set.rows);
        std::iota(rows.begin(), rows.end(), 0U);
        return rows;
    };
    const std::vector<std::uint32_t> rowsA = allOf(a);
    const std::vector<float> centre = centreOf(a, rowsA);
    const CentredRows x(a, rowsA, centre, threads, job.silent());
    const CentredRows y(b, allOf(b), centre, threads, job.silent());
    return kernelMeans(x, y, kernel, threads, job).biased(static_cast<double>(a.rows), static_cast<double>(b.rows));
}

KernelScores kernelScores(MatrixView real, MatrixView synthetic, std::uint64_t seed, unsigned threads,
                          const JobContext& job) {
    if (real.rows < 2 || synthetic.rows < 2)
        return {};
    requireSinglePrecision();
    const auto draw = [&](MatrixView set) {
        std::vector<std::uint32_t> order = contentOrder(set, {}, seed, threads);
        Random::forItem(seed ^ kStream, 2).shuffle(order); // equal rows stand together in the order of contents
        order.resize(std::min(order.size(), kKernelRows));
        return order;
    };
    const std::vector<std::uint32_t> realRows = draw(real);
    const std::vector<std::uint32_t> rows = draw(synthetic);
    const auto means = [&](Length length, const JobContext& part, auto kernelOf) {
        const std::vector<float> centre = centreOf(real, realRows, length);
        const JobContext quiet = part.part({}, 0.0, 0.0);
        const CentredRows x(real, realRows, centre, threads, quiet, length);
        const CentredRows y(synthetic, rows, centre, threads, quiet, length);
        return kernelMeans(x, y, kernelOf(x), threads, part);
    };
    const KernelMeans unit =
        means(Length::One, job.part({}, 0.0, 0.5), [](const CentredRows&) { return PairKernel::gaussian(10.0); });
    KernelScores scores;
    scores.cmmd = 1000.0 * unit.biased(static_cast<double>(real.rows), static_cast<double>(synthetic.rows));
    scores.cmmdUnbiased = 1000.0 * unit.unbiased();
    double width = 0.0;
    const KernelMeans own = means(Length::Own, job.part({}, 0.5, 1.0), [&](const CentredRows& x) {
        width = medianDistance(x, threads, job.silent());
        return PairKernel::gaussian(width > 0.0 ? width : 1.0);
    });
    if (width > 0.0) // else more than half of the real rows are equal
        scores.kad = 100.0 * own.unbiased();
    return scores;
}

std::size_t kernelScoresBytes(std::size_t rows, std::size_t dim) {
    const std::size_t used = std::max(std::min(rows, kKernelRows), kSubsetRows);
    const std::size_t median = std::min(rows, kKernelRows);
    return 2 * used * (dim * sizeof(float) + 2 * sizeof(double)) + median * kKernelRows / 2 * sizeof(float) +
           rows * sizeof(std::uint64_t);
}

} // namespace assay

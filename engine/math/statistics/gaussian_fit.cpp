#include "engine/math/statistics/gaussian_fit.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/math/linear/centre.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/products/centred_products.h"
#include "engine/math/products/dense_product.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace assay {
namespace {

/// Computes N - 1 rows F with F^T F equal to the covariance. The N centred rows would have the same product, but they
/// add up to zero: one of their N dimensions is empty, and the square root of its rounding error would enter every
/// result. Helmert's contrasts (sum of rows before r - r row_r) / sqrt(r (r + 1)) are an orthonormal transformation of
/// the centred rows that omits that dimension.
DoubleMatrix contrasts(MatrixView set, const std::vector<double>& mean) {
    DoubleMatrix rows(set.rows - 1, set.dim);
    std::vector<double> before(set.dim);
    for (std::size_t c = 0; c < set.dim; ++c)
        before[c] = static_cast<double>(set.rowData(0)[c]) - mean[c];
    for (std::size_t r = 1; r < set.rows; ++r) {
        const auto count = static_cast<double>(r);
        const double scale = 1.0 / std::sqrt(count * (count + 1.0) * static_cast<double>(set.rows - 1));
        for (std::size_t c = 0; c < set.dim; ++c) {
            const double x = static_cast<double>(set.rowData(r)[c]) - mean[c];
            rows.at(r - 1, c) = (before[c] - count * x) * scale;
            before[c] += x;
        }
    }
    return rows;
}

void multiplyColumns(UnfinishedFit& begun, unsigned threads, const JobContext& job, const Accelerator* accelerator) {
    const std::vector<double>& mean = begun.fit.mean;
    const auto* card = abilityOf<GramAccelerator>(accelerator);
    if (card != nullptr)
        if (auto product = card->gram(begun.set, mean, {}, job)) {
            begun.covariance = std::move(*product);
            return;
        }
    const JobContext onCpu = onTheCpu(job, card);
    begun.products = mean.size() < kFewColumns ? UnfinishedFit::Products::Double : UnfinishedFit::Products::Single;
    begun.covariance = begun.products == UnfinishedFit::Products::Double
                           ? gramOf(columnsOf(begun.set, mean), threads, onCpu)
                           : floatGram(begun.set, mean, {}, threads, onCpu);
}

void scaleToCovariance(UnfinishedFit& begun, unsigned threads, const JobContext& job) {
    const double scale = 1.0 / static_cast<double>(begun.fit.rows - 1);
    changeLowerTriangle(begun.covariance, threads, job,
                        [scale](std::size_t, std::size_t, double product) { return product * scale; });
    begun.fit.totalVariance = 0.0;
    for (std::size_t c = 0; c < begun.covariance.rows; ++c)
        begun.fit.totalVariance += begun.covariance.at(c, c);
}

/// Whether the smallest variance found in the factorisation is far above the error of single precision. An error matrix
/// of random elements e has norm at most 2 sqrt(d) e. The remaining error of the distance is then about 1e-9 of the
/// variance.
bool isClear(const GaussianFit& fit) {
    constexpr double kMargin = 1000.0;
    const auto dim = static_cast<double>(fit.mean.size());
    if (fit.factor.rows < fit.mean.size())
        return false;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < fit.factor.rows; ++r) {
        const double* row = fit.factor.row(r);
        // No element is larger than the row's pivot.
        const double pivot = *std::max_element(row, row + fit.mean.size());
        smallest = std::min(smallest, pivot * pivot);
    }
    return smallest > kMargin * 2.0 * std::sqrt(dim) * floatGramError(fit.rows) * fit.totalVariance / dim;
}

/// F_a F_b^T, or F_b F_a^T if that has fewer rows. Its singular values add up to tr (S_a S_b)^(1/2).
DoubleMatrix crossOf(const GaussianFit& a, const GaussianFit& b, unsigned threads, const JobContext& job) {
    if (a.mean.size() != b.mean.size())
        throw Error(ErrorKind::InvalidArgument, "Frechet distance: expected " + std::to_string(a.mean.size()) +
                                                    " columns, found " + std::to_string(b.mean.size()));
    const bool firstIsSmaller = a.factor.rows <= b.factor.rows;
    return productOf(rowsOf(firstIsSmaller ? a.factor : b.factor), rowsOf(firstIsSmaller ? b.factor : a.factor),
                     threads, job);
}

constexpr double kCloseEnough = 1e-7; ///< accepted error, as a share of the distance
/// Accepted error, as a share of the variance; about the rounding error of the sums of squares.
constexpr double kRounding = 1e-12;

/// A sum of square roots and an estimate of its error.
struct RootSum {
    double sum = 0.0;
    double error = 0.0;
};

/// Sum of the square roots of eigenvalues whose error is the rounding of the largest one. If an eigenvalue is hardly
/// larger than this error, its whole root may be wrong, always in one direction. The errors of the other roots have
/// random signs.
RootSum rootSum(const std::vector<double>& ascending) {
    RootSum roots;
    if (ascending.empty())
        return roots;
    const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * std::max(0.0, ascending.back());
    double squares = 0.0;
    for (const double value : ascending) {
        roots.sum += std::sqrt(std::max(0.0, value));
        if (value < 100.0 * rounding)
            roots.error += std::sqrt(std::max(value, rounding));
        else
            squares += rounding * rounding / (4.0 * value);
    }
    roots.error += std::sqrt(squares);
    return roots;
}

} // namespace

UnfinishedFit beginFit(MatrixView set, std::vector<double> mean, unsigned threads, const JobContext& job,
                       const Accelerator* accelerator) {
    if (set.rows < 2)
        throw Error(ErrorKind::InvalidArgument,
                    "Gaussian fit: expected at least 2 rows, found " + std::to_string(set.rows));
    UnfinishedFit begun;
    GaussianFit& fit = begun.fit;
    fit.rows = set.rows;
    fit.mean = std::move(mean);
    if (set.rows <= set.dim) {
        fit.factor = contrasts(set, fit.mean);
        for (const double x : fit.factor.values)
            fit.totalVariance += x * x;
        return begun;
    }
    begun.set = set;
    multiplyColumns(begun, threads, job, accelerator);
    scaleToCovariance(begun, threads, job.part({}, 1.0, 1.0));
    return begun;
}

GaussianFit finishFit(UnfinishedFit begun, unsigned threads, const JobContext& job) {
    GaussianFit& fit = begun.fit;
    if (begun.covariance.rows == 0)
        return std::move(fit);
    fit.factor = factorOf(std::move(begun.covariance), job.part({}, 0.0, 0.2));
    if (begun.products == UnfinishedFit::Products::Double || isClear(fit))
        return std::move(fit);
    begun.covariance = gramOf(columnsOf(begun.set, fit.mean), threads, job.part({}, 0.2, 0.8));
    scaleToCovariance(begun, threads, job.part({}, 0.8, 0.8));
    fit.factor = factorOf(std::move(begun.covariance), job.part({}, 0.8, 1.0));
    return std::move(fit);
}

GaussianFit fitGaussian(MatrixView set, unsigned threads, const JobContext& job) {
    std::vector<double> mean = columnMeans(set, threads, job.part({}, 0.0, 0.1));
    return finishFit(beginFit(set, std::move(mean), threads, job.part({}, 0.1, 0.8)), threads, job.part({}, 0.8, 1.0));
}

double frechetDistance(const GaussianFit& a, const GaussianFit& b, unsigned threads, const JobContext& job) {
    DoubleMatrix cross = crossOf(a, b, threads, job.part({}, 0.0, 0.1));
    double apart = 0.0;
    for (std::size_t c = 0; c < a.mean.size(); ++c)
        apart += (a.mean[c] - b.mean[c]) * (a.mean[c] - b.mean[c]);
    const double variance = a.totalVariance + b.totalVariance;
    const RootSum shared =
        rootSum(symmetricEigenvalues(gramOf(rowsOf(cross), threads, job.part({}, 0.1, 0.2)), job.part({}, 0.2, 0.3)));
    const double distance = std::max(0.0, apart + (variance - 2.0 * shared.sum));
    if (2.0 * shared.error <= std::max(kCloseEnough * distance, kRounding * variance))
        return distance;
    return std::max(0.0, apart + (variance - 2.0 * singularValueSum(std::move(cross), job.part({}, 0.3, 1.0))));
}

} // namespace assay

#include "engine/metrics/embedding/vendi.h"

#include "engine/math/linear/centre.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/products/centred_products.h"
#include "engine/math/products/dense_product.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// Inner products of the columns of the rows scaled to unit length; lower triangle.
DoubleMatrix columnProducts(MatrixView set, const RowSummary& summary, unsigned threads, const JobContext& job) {
    const std::vector<double> origin(set.dim, 0.0);
    return gramOf(columnsOf(set, origin, summary.inverseLength), threads, job);
}

/// Computes the matrix of columnProducts() in single precision.
DoubleMatrix quickColumnProducts(MatrixView set, const RowSummary& summary, unsigned threads, const JobContext& job) {
    // The common mean is subtracted before the single-precision product and added again afterwards.
    const std::vector<double>& mean = summary.meanDirection;
    DoubleMatrix matrix = floatGram(set, mean, summary.inverseLength, threads, job);
    const auto rows = static_cast<double>(set.rows);
    changeLowerTriangle(matrix, threads, job.part({}, 1.0, 1.0), [&](std::size_t i, std::size_t j, double product) {
        return product + rows * mean[i] * mean[j];
    });
    return matrix;
}

void divideByRows(DoubleMatrix& matrix, MatrixView set, unsigned threads, const JobContext& job) {
    changeLowerTriangle(
        matrix, threads, job.part({}, 1.0, 1.0),
        [rows = static_cast<double>(set.rows)](std::size_t, std::size_t, double product) { return product / rows; });
}

/// Whether every eigenvalue of single-precision products is clearly larger than what single precision can make of a
/// zero eigenvalue. An error matrix of random elements e has norm at most 2 sqrt(d) e. A false eigenvalue l would
/// contribute -l log l, which is far above zero. Columns of zeros are the exception: they have no error.
bool areClear(const std::vector<double>& eigenvalues, std::size_t rows, const std::vector<double>& mean) {
    constexpr double kMargin = 8.0;
    constexpr double kZero = 1e-15; // of their sum
    const auto dim = static_cast<double>(eigenvalues.size());
    const double sum = std::accumulate(eigenvalues.begin(), eigenvalues.end(), 0.0);
    const double aboutMean = sum - std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0);
    const double noise = 2.0 * std::sqrt(dim) * floatGramError(rows) * aboutMean / dim;
    return std::none_of(eigenvalues.begin(), eigenvalues.end(),
                        [&](double value) { return std::abs(value) > kZero * sum && value < kMargin * noise; });
}

double scoreOf(const std::vector<double>& eigenvalues) {
    double entropy = 0.0;
    bool any = false;
    for (const double value : eigenvalues)
        if (value > 0.0) {
            entropy -= value * std::log(value);
            any = true;
        }
    return any ? std::exp(entropy) : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

Similarities similarities(MatrixView set, const RowSummary& summary, unsigned threads, const JobContext& job,
                          const Accelerator* accelerator) {
    const std::vector<double> origin(set.dim, 0.0);
    const std::vector<double>& scale = summary.inverseLength;
    const auto* card = abilityOf<GramAccelerator>(accelerator);
    Similarities found;
    if (set.rows <= set.dim) {
        found.matrix = gramOf(rowsOf(set, origin, scale), threads, job);
    } else if (auto product = card != nullptr ? card->gram(set, origin, scale, job) : std::nullopt) {
        found.matrix = std::move(*product);
    } else {
        found.single = set.dim >= kFewColumns;
        const auto products = found.single ? quickColumnProducts : columnProducts;
        found.matrix = products(set, summary, threads, onTheCpu(job, card));
    }
    divideByRows(found.matrix, set, threads, job);
    return found;
}

double vendiScore(Similarities found, MatrixView set, const RowSummary& summary, unsigned threads,
                  const JobContext& job) {
    std::vector<double> eigenvalues = symmetricEigenvalues(std::move(found.matrix), job);
    if (found.single && !areClear(eigenvalues, set.rows, summary.meanDirection)) {
        DoubleMatrix matrix = columnProducts(set, summary, threads, job);
        divideByRows(matrix, set, threads, job);
        eigenvalues = symmetricEigenvalues(std::move(matrix), job);
    }
    return scoreOf(eigenvalues);
}

} // namespace assay

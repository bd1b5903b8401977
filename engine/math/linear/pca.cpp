#include "engine/math/linear/pca.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/math/linear/centre.h"
#include "engine/math/linear/gram_accelerator.h"
#include "engine/math/linear/top_eigenvectors.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/products/float_gram.h"

#include <Eigen/Dense>

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

namespace assay {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kDirectDim = 128;      // up to here the covariance is formed in double precision
constexpr std::size_t kCovarianceDim = 2048; // up to here it is kept: 32 MB
constexpr std::size_t kRowsPerTask = 512;
constexpr std::size_t kValuesPerChunk = std::size_t{1} << 21;
// A smaller share of the first component's variance is the noise of the products.
constexpr double kFloatNoise = 1e-7;
constexpr double kDoubleNoise = 1e-12;

/// Sum of squared distances from the mean.
double totalVariation(MatrixView set, std::span<const double> mean, unsigned threads, const JobContext& job) {
    const std::vector<double> distances = distancesTo(mean, set, threads, job);
    return std::inner_product(distances.begin(), distances.end(), distances.begin(), 0.0);
}

/// The covariance, but for a factor: d x d, the lower triangle.
DoubleMatrix scatterOf(MatrixView set, std::span<const double> mean, unsigned threads, const JobContext& job,
                       const Accelerator* accelerator) {
    const auto* card = abilityOf<GramAccelerator>(accelerator);
    if (card != nullptr)
        if (auto product = card->gram(set, mean, {}, job))
            return std::move(*product);
    const JobContext onCpu = onTheCpu(job, card);
    return set.dim <= kDirectDim ? gramOf(columnsOf(set, mean), threads, onCpu)
                                 : floatGram(set, mean, {}, threads, onCpu);
}

EigenPairs pairsOf(const DoubleMatrix& scatter, std::size_t count, const JobContext& job) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto d = static_cast<Index>(scatter.rows);
    const Eigen::Map<const RowMajor> matrix(scatter.values.data(), d, d);
    const SymmetricOperator apply{scatter.rows, [&](const double* in, double* out, std::size_t columns) {
                                      const auto width = static_cast<Index>(columns);
                                      Eigen::Map<MatrixXd>(out, d, width).noalias() =
                                          matrix.selfadjointView<Eigen::Lower>() *
                                          Eigen::Map<const MatrixXd>(in, d, width);
                                  }};
    return topEigenvectors(apply, count, 1e-9, job);
}

/// Thousands of dimensions: X^T (X V) chunk by chunk, so that nothing of d x d or N x N is ever held.
EigenPairs implicitPairs(MatrixView set, std::span<const double> mean, std::size_t count, unsigned threads,
                         const JobContext& job) {
    const std::size_t chunk = std::clamp<std::size_t>(kValuesPerChunk / set.dim, 1, 2048);
    const JobContext silent = job.silent();
    const SymmetricOperator apply{
        set.dim, [&](const double* in, double* out, std::size_t columns) {
            DoubleMatrix directions = DoubleMatrix::unset(columns, set.dim);
            std::copy_n(in, directions.values.size(), directions.values.begin());
            std::fill_n(out, directions.values.size(), 0.0);
            for (std::size_t first = 0; first < set.rows; first += chunk) {
                const MatrixView some{set.rowData(first), std::min(chunk, set.rows - first), set.dim};
                const DoubleMatrix image = productOf(rowsOf(directions), rowsOf(some, mean), threads, silent);
                const DoubleMatrix part = productOf(rowsOf(image), columnsOf(some, mean), threads, silent);
                std::transform(part.values.begin(), part.values.end(), out, out, std::plus<>());
            }
        }};
    return topEigenvectors(apply, count, 1e-5, job);
}

void fixSign(VectorXd& axis) {
    Index largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    if (axis[largest] < 0.0)
        axis = -axis;
}

} // namespace

PrincipalComponents PrincipalComponents::fit(MatrixView set, const JobContext& job, unsigned threads,
                                             const Accelerator* accelerator) {
    if (set.rows == 0 || set.dim == 0)
        throw Error(ErrorKind::InvalidArgument, "Principal components: expected at least one sample and one dimension, "
                                                "found " +
                                                    std::to_string(set.rows) + " x " + std::to_string(set.dim) + ".");
    PrincipalComponents result;
    result.mean_ = columnMeans(set, threads, job.part("Principal components", 0.0, 0.05));
    result.axes_.fill(std::vector<double>(set.dim, 0.0));
    const double total = totalVariation(set, result.mean_, threads, job.part("Principal components", 0.05, 0.1));
    if (!(total > 0.0))
        return result;

    const std::size_t count = std::min(kCount, set.dim);
    const JobContext products = job.part("Principal components", 0.1, 0.8);
    const EigenPairs pairs =
        set.dim <= kCovarianceDim
            ? pairsOf(scatterOf(set, result.mean_, threads, products, accelerator), count,
                      job.part("Principal components", 0.8, 1.0))
            : implicitPairs(set, result.mean_, count, threads, job.part("Principal components", 0.1, 1.0));
    const double least = (set.dim <= kDirectDim ? kDoubleNoise : kFloatNoise) * pairs.values[0];
    for (std::size_t c = 0; c < count && pairs.values[c] > least; ++c) {
        VectorXd axis = Eigen::Map<const VectorXd>(pairs.vectors.data() + c * set.dim, static_cast<Index>(set.dim));
        fixSign(axis);
        result.axes_[c].assign(axis.begin(), axis.end());
        result.explainedShare_[c] = std::clamp(pairs.values[c] / total, 0.0, 1.0);
    }
    return result;
}

std::vector<std::array<float, PrincipalComponents::kCount>>
PrincipalComponents::project(MatrixView set, const JobContext& job, unsigned threads) const {
    if (set.dim != dim())
        throw Error(ErrorKind::InvalidArgument, "Principal components: expected " + std::to_string(dim()) +
                                                    " dimensions, found " + std::to_string(set.dim) + ".");
    std::vector<std::array<float, kCount>> points(set.rows);
    const Eigen::Map<const VectorXd> mean(mean_.data(), static_cast<Index>(dim()));
    parallelRanges(set.rows, kRowsPerTask, threads, job, [&](std::size_t first, std::size_t last, unsigned) {
        VectorXd centred(mean.size());
        for (std::size_t row = first; row < last; ++row) {
            centred = Eigen::Map<const Eigen::VectorXf>(set.rowData(row), mean.size()).cast<double>() - mean;
            for (std::size_t c = 0; c < kCount; ++c)
                points[row][c] =
                    static_cast<float>(centred.dot(Eigen::Map<const VectorXd>(axes_[c].data(), mean.size())));
        }
    });
    return points;
}

} // namespace assay

#include "engine/math/linear/pca.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/linear/centre.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/products/centred_products.h"
#include "engine/math/products/dense_product.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <string>

namespace assay {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Block width equal to the largest number of requested eigenpairs: a block finds an eigenvalue of that multiplicity, a
// single vector does not.
constexpr Index kBlock = 4;
constexpr Index kLargestBasis = 96;
constexpr Index kKeptAtRestart = 16;
constexpr int kMaxRestarts = 8;

/// An orthonormal basis, the operator's image of it, and the operator projected onto it.
class KrylovBasis {
public:
    KrylovBasis(const SymmetricOperator& matrix, Index capacity)
        : matrix_(matrix), size_(static_cast<Index>(matrix.size)), basis_(size_, capacity), image_(size_, capacity),
          projected_(capacity, capacity) {}

    Index columns() const noexcept { return columns_; }
    bool isFull() const noexcept { return columns_ == basis_.cols(); }

    /// Adds the part of `block` that is orthogonal to the basis. If nothing is left, a random direction is added, so
    /// that a repeated eigenvalue or an exhausted Krylov space cannot hide the rest of the spectrum.
    void extend(MatrixXd block) {
        const Index first = columns_;
        const Index wanted = std::min({block.cols(), size_ - columns_, basis_.cols() - columns_});
        for (Index c = 0; c < wanted; ++c) {
            VectorXd v = block.col(c);
            while (!orthonormalize(v))
                v = random();
            basis_.col(columns_++) = v;
        }
        matrix_.apply(basis_.col(first).data(), image_.col(first).data(), static_cast<std::size_t>(columns_ - first));
        const MatrixXd fresh = basis_.leftCols(columns_).transpose() * image_.middleCols(first, columns_ - first);
        projected_.block(0, first, columns_, columns_ - first) = fresh;
        projected_.block(first, 0, columns_ - first, columns_) = fresh.transpose();
    }

    MatrixXd lastImage() const {
        return image_.middleCols(columns_ - std::min(kBlock, columns_), std::min(kBlock, columns_));
    }
    MatrixXd randomBlock() {
        MatrixXd block(size_, std::min(kBlock, size_));
        for (Index c = 0; c < block.cols(); ++c)
            block.col(c) = random();
        return block;
    }

    /// Rotates the basis onto its best `count` approximate eigenvectors, largest first.
    void compress(Index count) {
        const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(projected_.topLeftCorner(columns_, columns_));
        const MatrixXd turn = solver.eigenvectors().rightCols(std::min(count, columns_)).rowwise().reverse();
        basis_.leftCols(turn.cols()) = (basis_.leftCols(columns_) * turn).eval();
        image_.leftCols(turn.cols()) = (image_.leftCols(columns_) * turn).eval();
        columns_ = turn.cols();
        projected_.topLeftCorner(columns_, columns_) =
            basis_.leftCols(columns_).transpose() * image_.leftCols(columns_);
    }

    double value(Index c) const { return projected_(c, c); }
    auto vector(Index c) const { return basis_.col(c); }
    /// A x - lambda x for the first `count` columns of a compressed basis.
    MatrixXd residuals(Index count) const {
        return image_.leftCols(count) - basis_.leftCols(count) * projected_.diagonal().head(count).asDiagonal();
    }

private:
    VectorXd random() {
        // Uniform by hand: std::normal_distribution differs between standard libraries.
        VectorXd v(size_);
        for (double& x : v)
            x = static_cast<double>(engine_()) / static_cast<double>(std::mt19937::max()) - 0.5;
        return v;
    }

    bool orthonormalize(VectorXd& v) const {
        const double before = v.norm();
        if (!(before > 0.0))
            return false;
        // Once is not enough: the first pass leaves rounding errors of the size of what it removed.
        for (int pass = 0; pass < 2; ++pass)
            v -= basis_.leftCols(columns_) * (basis_.leftCols(columns_).transpose() * v);
        const double after = v.norm();
        if (after < 1e-10 * before)
            return false;
        v /= after;
        return true;
    }

    const SymmetricOperator& matrix_;
    Index size_;
    MatrixXd basis_, image_, projected_;
    Index columns_ = 0;
    std::mt19937 engine_{20260101};
};

} // namespace

EigenPairs topEigenvectors(const SymmetricOperator& matrix, std::size_t count, double tolerance,
                           const JobContext& job) {
    const auto wanted = static_cast<Index>(std::min(count, matrix.size));
    const Index capacity = std::min<Index>(static_cast<Index>(matrix.size), kLargestBasis);
    KrylovBasis basis(matrix, capacity);
    basis.extend(basis.randomBlock());
    for (int round = 0;; ++round) {
        while (!basis.isFull()) {
            job.checkpoint((round + static_cast<double>(basis.columns()) / kLargestBasis) / (kMaxRestarts + 1));
            basis.extend(basis.lastImage());
        }
        basis.compress(kKeptAtRestart);
        const MatrixXd residuals = basis.residuals(wanted);
        const bool converged = residuals.colwise().norm().maxCoeff() <= tolerance * std::abs(basis.value(0));
        if (converged || round == kMaxRestarts || capacity == static_cast<Index>(matrix.size))
            break;
        // The residuals point to what the basis lacks.
        MatrixXd next(residuals.rows(), kBlock);
        next << basis.residuals(kBlock);
        basis.extend(next);
    }
    EigenPairs pairs;
    for (Index c = 0; c < wanted; ++c) {
        pairs.values.push_back(basis.value(c));
        const VectorXd v = basis.vector(c);
        pairs.vectors.insert(pairs.vectors.end(), v.data(), v.data() + v.size());
    }
    return pairs;
}

namespace {

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

namespace {

constexpr std::size_t kExactDim = 512;      // up to here all eigenvectors are computed
constexpr std::size_t kDoubleDim = 128;     // up to here products are summed in double precision
constexpr double kRoundingVariance = 1e-12; // a smaller share of the largest variance is rounding of the values

/// Directions as columns of a row-major d x q matrix.
struct Directions {
    std::vector<float> values;
    std::size_t count = 0;
};

/// Applies X and X^T to a few directions.
class ScatterProducts {
public:
    ScatterProducts(MatrixView set, const ComputeContext& context) : set_(set), context_(context) {}

    /// X V: rows x count.
    std::vector<float> image(const Directions& directions) const {
        std::vector<float> values(set_.rows * directions.count);
        parallelRanges(set_.rows, rowsAtOnce(), context_.threads, context_.job.silent(),
                       [&](std::size_t first, std::size_t last, unsigned) {
                           multiply({set_.rowData(first), last - first, set_.dim},
                                    {directions.values.data(), set_.dim, directions.count}, Into::Replace,
                                    values.data() + first * directions.count);
                       });
        return values;
    }

    /// X^T (X V): d x count. Sums of a fixed number of stripes, in their order.
    std::vector<float> apply(const Directions& directions) const {
        const std::size_t rows = rowsAtOnce();
        const std::size_t blocks = (set_.rows + rows - 1) / rows;
        std::vector<std::vector<float>> stripes(std::min(kStripes, blocks));
        parallelFor(stripes.size(), context_.threads, context_.job.silent(), [&](std::size_t stripe, unsigned) {
            std::vector<float>& sum = stripes[stripe];
            sum.assign(set_.dim * directions.count, 0.0F);
            std::vector<float> part(rows * directions.count);
            for (std::size_t block = stripe; block < blocks; block += stripes.size()) {
                context_.job.throwIfStopped();
                const std::size_t first = block * rows;
                const std::size_t length = std::min(rows, set_.rows - first);
                multiply({set_.rowData(first), length, set_.dim},
                         {directions.values.data(), set_.dim, directions.count}, Into::Replace, part.data());
                multiply({set_.rowData(first), length, set_.dim, FloatFactor::Use::Transposed},
                         {part.data(), length, directions.count}, Into::Add, sum.data());
            }
        });
        std::vector<float> total = std::move(stripes.front());
        for (std::size_t stripe = 1; stripe < stripes.size(); ++stripe)
            std::ranges::transform(total, stripes[stripe], total.begin(), std::plus());
        return total;
    }

private:
    static constexpr std::size_t kStripes = 16;

    std::size_t rowsAtOnce() const {
        constexpr std::size_t kValuesAtOnce = std::size_t{1} << 19;
        return std::clamp<std::size_t>(kValuesAtOnce / set_.dim, 32, 512);
    }

    MatrixView set_;
    const ComputeContext& context_;
};

/// An orthonormal basis of the directions.
Directions orthonormal(Directions directions, std::size_t dim) {
    using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto rows = static_cast<Eigen::Index>(dim);
    const auto columns = static_cast<Eigen::Index>(directions.count);
    Eigen::Map<RowMajor> matrix(directions.values.data(), rows, columns);
    const Eigen::HouseholderQR<Eigen::MatrixXf> factor(matrix);
    matrix = factor.householderQ() * Eigen::MatrixXf::Identity(rows, columns);
    return directions;
}

/// A basis of about the subspace of the leading components.
Directions leadingSubspace(MatrixView set, std::size_t count, const ComputeContext& context) {
    constexpr std::size_t kMoreDirections = 10;
    constexpr std::size_t kIterations = 4;
    Directions directions{{}, std::min(set.dim, count + kMoreDirections)};
    directions.values.resize(set.dim * directions.count);
    Random random(context.seed);
    for (float& value : directions.values)
        value = static_cast<float>(random.bell());
    const ScatterProducts products(set, context);
    for (std::size_t i = 0; i < kIterations; ++i) {
        context.job.checkpoint(static_cast<double>(i) / kIterations);
        directions.values = products.apply(directions);
        directions = orthonormal(std::move(directions), set.dim);
    }
    return directions;
}

/// Exact components of a set of few dimensions.
WhitenedComponents exactComponents(MatrixView set, std::size_t count, const ComputeContext& context) {
    const std::vector<double> mean(set.dim, 0.0);
    const JobContext job = context.job.part({}, 0.0, 0.5);
    const Eigendecomposition pairs =
        symmetricEigendecomposition(set.dim <= kDoubleDim ? gramOf(columnsOf(set, mean), context.threads, job)
                                                          : floatGram(set, mean, {}, context.threads, job),
                                    context.job);
    const double least = kRoundingVariance * pairs.values.back();
    std::size_t kept = 0;
    while (kept < std::min(count, set.dim) && pairs.values[set.dim - 1 - kept] > least)
        ++kept;
    DoubleMatrix directions(kept, set.dim);
    for (std::size_t c = 0; c < kept; ++c) {
        const std::size_t from = set.dim - 1 - c; // eigenvalues ascend
        const double deviation = std::sqrt(pairs.values[from] / static_cast<double>(set.rows));
        std::transform(pairs.vectors.row(from), pairs.vectors.row(from) + set.dim, directions.row(c),
                       [deviation](double value) { return value / deviation; });
    }
    if (kept == 0)
        return {{}, set.rows, 0};
    std::vector<const float*> rows(set.rows);
    for (std::size_t r = 0; r < set.rows; ++r)
        rows[r] = set.rowData(r);
    return {projectRows(rows, std::vector<float>(set.dim, 0.0F), directions, context.threads,
                        context.job.part({}, 0.5, 1.0)),
            set.rows, kept};
}

} // namespace

WhitenedComponents whitenedComponents(MatrixView set, std::size_t count, const ComputeContext& context) {
    if (set.dim <= kExactDim)
        return exactComponents(set, count, context);
    const Directions basis = leadingSubspace(set, count, context.part(0.0, 0.8));
    const std::vector<float> reduced = ScatterProducts(set, context).image(basis);
    return exactComponents({reduced.data(), set.rows, basis.count}, count, context.part(0.8, 1.0));
}

} // namespace assay

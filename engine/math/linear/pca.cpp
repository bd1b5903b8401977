#include "engine/math/linear/pca.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/math/linear/gram_accelerator.h"
#include "engine/math/linear/top_eigenvectors.h"

#include <Eigen/Dense>
#include <dnnl.h>

#include <algorithm>
#include <omp.h>
#include <optional>
#include <span>
#include <string>

namespace assay {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMap = Eigen::Map<const Eigen::VectorXf>;

constexpr std::size_t kDirectDim = 128;      // up to here everything is done in double precision
constexpr std::size_t kCovarianceDim = 2048; // up to here the d x d covariance is kept: 32 MB
constexpr std::size_t kStripes = 16;
constexpr std::size_t kRowsPerTask = 512;
constexpr std::size_t kValuesPerChunk = std::size_t{1} << 21; // 8 MB of centred float32
// A component whose variance is a smaller share of the first component's is noise of single-precision or
// double-precision products.
constexpr double kFloatNoise = 1e-7;
constexpr double kDoubleNoise = 1e-12;

std::size_t ceilDivide(std::size_t a, std::size_t b) {
    return (a + b - 1) / b;
}

RowMap rowOf(MatrixView set, std::size_t row) {
    return {set.rowData(row), static_cast<Index>(set.dim)};
}

struct Range {
    std::size_t begin, end;
};

/// Row range of a fixed stripe, so that sums do not depend on the number of threads.
Range stripe(std::size_t rows, std::size_t s) {
    return {rows * s / kStripes, rows * (s + 1) / kStripes};
}

/// Sums `add(accumulator, row)` over all rows, one accumulator a stripe.
template <typename Accumulator, typename Add>
Accumulator sumOverRows(MatrixView set, unsigned threads, const JobContext& job, const Accumulator& zero, Add add) {
    std::vector<Accumulator> parts(kStripes, zero);
    parallelFor(kStripes, threads, job, [&](std::size_t s, unsigned) {
        const auto [begin, end] = stripe(set.rows, s);
        for (std::size_t row = begin; row < end; ++row) {
            if (row % kRowsPerTask == 0)
                job.throwIfStopped();
            add(parts[s], row);
        }
    });
    for (std::size_t s = 1; s < kStripes; ++s)
        parts[0] += parts[s];
    return parts[0];
}

VectorXd meanOf(MatrixView set, unsigned threads, const JobContext& job) {
    const VectorXd zero = VectorXd::Zero(static_cast<Index>(set.dim));
    const VectorXd sum = sumOverRows(set, threads, job, zero,
                                     [&](VectorXd& to, std::size_t row) { to += rowOf(set, row).cast<double>(); });
    return sum / static_cast<double>(set.rows);
}

/// Sum of squared distances from the mean.
double totalVariation(MatrixView set, const VectorXd& mean, unsigned threads, const JobContext& job) {
    return sumOverRows(set, threads, job, 0.0, [&](double& to, std::size_t row) {
        to += (rowOf(set, row).cast<double>() - mean).squaredNorm();
    });
}

/// Leading eigenpairs from all eigenvalues, for few dimensions.
EigenPairs allPairs(const MatrixXd& scatter, std::size_t count) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(scatter);
    EigenPairs pairs;
    for (Index c = scatter.cols() - 1; c >= scatter.cols() - static_cast<Index>(count); --c) {
        pairs.values.push_back(solver.eigenvalues()[c]);
        const VectorXd v = solver.eigenvectors().col(c);
        pairs.vectors.insert(pairs.vectors.end(), v.data(), v.data() + v.size());
    }
    return pairs;
}

/// Components for few dimensions: the scatter matrix in double precision and all its eigenvalues.
EigenPairs directComponents(MatrixView set, const VectorXd& mean, std::size_t count, unsigned threads,
                            const JobContext& job) {
    const MatrixXd zero = MatrixXd::Zero(mean.size(), mean.size());
    const MatrixXd scatter = sumOverRows(set, threads, job, zero, [&](MatrixXd& to, std::size_t row) {
        const VectorXd centred = rowOf(set, row).cast<double>() - mean;
        to.selfadjointView<Eigen::Lower>().rankUpdate(centred);
    });
    return allPairs(scatter.selfadjointView<Eigen::Lower>(), count);
}

EigenPairs topPairs(const MatrixXd& scatter, std::size_t count, const JobContext& job) {
    const Index d = scatter.rows();
    const SymmetricOperator apply{static_cast<std::size_t>(d), [&](const double* in, double* out, std::size_t columns) {
                                      const Eigen::Map<const MatrixXd> v(in, d, static_cast<Index>(columns));
                                      Eigen::Map<MatrixXd>(out, d, v.cols()).noalias() = scatter * v;
                                  }};
    return topEigenvectors(apply, count, 1e-9, job);
}

/// Rows of a set minus its mean, in float32, one chunk at a time.
class CentredChunks {
public:
    CentredChunks(MatrixView set, const VectorXd& mean, unsigned threads)
        : set_(set), mean_(mean), threads_(threads),
          chunk_(std::clamp<std::size_t>(kValuesPerChunk / set.dim, 1, 2048)),
          values_(std::min(chunk_, set.rows) * set.dim) {}

    std::size_t count() const { return ceilDivide(set_.rows, chunk_); }
    std::size_t largestChunk() const { return std::min(chunk_, set_.rows); }

    /// The chunk's values, rows x d, valid until the next call.
    MatrixView load(std::size_t chunk) {
        const std::size_t first = chunk * chunk_;
        const std::size_t rows = std::min(chunk_, set_.rows - first);
        parallelFor(ceilDivide(rows, kRowsPerTask), threads_, {}, [&](std::size_t task, unsigned) {
            for (std::size_t r = task * kRowsPerTask; r < std::min(rows, (task + 1) * kRowsPerTask); ++r)
                Eigen::Map<Eigen::VectorXf>(values_.data() + r * set_.dim, mean_.size()) =
                    (rowOf(set_, first + r).cast<double>() - mean_).cast<float>();
        });
        return {values_.data(), rows, set_.dim};
    }

private:
    MatrixView set_;
    const VectorXd& mean_;
    unsigned threads_;
    std::size_t chunk_;
    std::vector<float> values_;
};

/// Sets OpenMP's number of threads for the calling thread, which oneDNN uses.
class OpenMpThreads {
public:
    explicit OpenMpThreads(unsigned threads) { omp_set_num_threads(static_cast<int>(resolveThreads(threads))); }
    ~OpenMpThreads() { omp_set_num_threads(before_); }
    OpenMpThreads(const OpenMpThreads&) = delete;
    OpenMpThreads& operator=(const OpenMpThreads&) = delete;

private:
    int before_ = omp_get_max_threads();
};

void check(dnnl_status_t status) {
    if (status == dnnl_out_of_memory)
        throw Error(ErrorKind::NotEnoughMemory, "Principal components: not enough memory for a matrix product.");
    if (status != dnnl_success)
        throw Error(ErrorKind::InvalidArgument, "Principal components: a matrix product was refused.");
}

/// Components for hundreds of dimensions: the scatter matrix from single-precision products, summed in double
/// precision.
EigenPairs scatterComponents(MatrixView set, const VectorXd& mean, std::size_t count, unsigned threads,
                             const JobContext& job) {
    const auto d = static_cast<Index>(set.dim);
    MatrixXd scatter = MatrixXd::Zero(d, d);
    Eigen::MatrixXf part(d, d);
    CentredChunks chunks(set, mean, threads);
    const JobContext products = job.part("Principal components", 0.0, 0.8);
    for (std::size_t c = 0; c < chunks.count(); ++c) {
        products.checkpoint(static_cast<double>(c) / static_cast<double>(chunks.count()));
        const MatrixView x = chunks.load(c);
        check(dnnl_sgemm('T', 'N', d, d, static_cast<dnnl_dim_t>(x.rows), 1.0F, x.data, d, x.data, d, 0.0F, part.data(),
                         d));
        scatter += part.cast<double>();
    }
    part.resize(0, 0);
    return topPairs(scatter, count, job.part("Principal components", 0.8, 1.0));
}

/// Components from a scatter matrix that the accelerator computes.
/// @return empty if there is no accelerator or it declines
std::optional<EigenPairs> acceleratedComponents(MatrixView set, const VectorXd& mean, std::size_t count,
                                                const GramAccelerator* accelerator, const JobContext& job) {
    if (accelerator == nullptr || set.dim > kCovarianceDim)
        return std::nullopt;
    const std::span<const double> means(mean.data(), static_cast<std::size_t>(mean.size()));
    const auto product = accelerator->gram(set, means, {}, job.part("Principal components", 0.0, 0.8));
    if (!product)
        return std::nullopt;
    // Row-major, the lower triangle: to a column-major reader that is the upper one.
    const Eigen::Map<const MatrixXd> upper(product->values.data(), mean.size(), mean.size());
    const MatrixXd scatter = upper.selfadjointView<Eigen::Upper>();
    return set.dim <= kDirectDim ? allPairs(scatter, count)
                                 : topPairs(scatter, count, job.part("Principal components", 0.8, 1.0));
}

/// Components for thousands of dimensions: X^T (X V) is computed chunk by chunk, so that no d x d or N x N matrix is
/// stored.
EigenPairs implicitComponents(MatrixView set, const VectorXd& mean, std::size_t count, unsigned threads,
                              const JobContext& job) {
    const auto d = static_cast<Index>(set.dim);
    CentredChunks chunks(set, mean, threads);
    const SymmetricOperator apply{
        set.dim, [&](const double* in, double* out, std::size_t columns) {
            // Row-major d x columns and rows x columns, as the row-major product wants them.
            const auto b = static_cast<Index>(columns);
            using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
            const RowMajor v = Eigen::Map<const MatrixXd>(in, d, b).cast<float>();
            RowMajor image(static_cast<Index>(chunks.largestChunk()), b);
            RowMajor part(d, b);
            Eigen::Map<MatrixXd> sum(out, d, b);
            sum.setZero();
            for (std::size_t c = 0; c < chunks.count(); ++c) {
                job.throwIfStopped();
                const MatrixView x = chunks.load(c);
                const auto rows = static_cast<dnnl_dim_t>(x.rows);
                check(dnnl_sgemm('N', 'N', rows, b, d, 1.0F, x.data, d, v.data(), b, 0.0F, image.data(), b));
                check(dnnl_sgemm('T', 'N', d, b, rows, 1.0F, x.data, d, image.data(), b, 0.0F, part.data(), b));
                sum += part.cast<double>();
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
    const VectorXd mean = meanOf(set, threads, job.part("Principal components", 0.0, 0.05));
    const double total = totalVariation(set, mean, threads, job.part("Principal components", 0.05, 0.1));

    PrincipalComponents result;
    result.mean_.assign(mean.begin(), mean.end());
    result.axes_.fill(std::vector<double>(set.dim, 0.0));
    if (!(total > 0.0))
        return result;

    const std::size_t count = std::min(kCount, set.dim);
    const JobContext rest = job.part("Principal components", 0.1, 1.0);
    const OpenMpThreads limit(threads);
    const bool direct = set.dim <= kDirectDim;
    const auto* card = abilityOf<GramAccelerator>(accelerator);
    const auto accelerated = acceleratedComponents(set, mean, count, card, rest);
    const JobContext onCpu = onTheCpu(rest, set.dim <= kCovarianceDim ? card : nullptr);
    const EigenPairs pairs = accelerated                 ? *accelerated
                             : direct                    ? directComponents(set, mean, count, threads, onCpu)
                             : set.dim <= kCovarianceDim ? scatterComponents(set, mean, count, threads, onCpu)
                                                         : implicitComponents(set, mean, count, threads, onCpu);
    const double least = (direct ? kDoubleNoise : kFloatNoise) * pairs.values[0];
    for (std::size_t c = 0; c < count && pairs.values[c] > least; ++c) {
        VectorXd axis = Eigen::Map<const VectorXd>(pairs.vectors.data() + c * set.dim, mean.size());
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
    parallelFor(ceilDivide(set.rows, kRowsPerTask), threads, job, [&](std::size_t task, unsigned) {
        VectorXd centred(mean.size());
        for (std::size_t row = task * kRowsPerTask; row < std::min(set.rows, (task + 1) * kRowsPerTask); ++row) {
            centred = rowOf(set, row).cast<double>() - mean;
            for (std::size_t c = 0; c < kCount; ++c)
                points[row][c] =
                    static_cast<float>(centred.dot(Eigen::Map<const VectorXd>(axes_[c].data(), mean.size())));
        }
    });
    return points;
}

} // namespace assay

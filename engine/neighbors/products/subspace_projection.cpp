#include "engine/neighbors/products/subspace_projection.h"

#include "engine/base/parallel.h"
#include "engine/math/products/dense_product.h"
#include "engine/neighbors/search/bounds.h"

#include <Eigen/Dense>
#include <dnnl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <random>

namespace assay {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using RowMajorF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows that the directions are chosen by.
constexpr std::size_t kSampleRows = 384;
/// Each round turns the span towards the directions of most variance; more than two add next to nothing.
constexpr int kRounds = 2;
/// Directions of less than this share of the most are not told from rounding.
constexpr double kNegligible = 1e-11;
/// Columns that are summed in single precision before the sums are added up: short sums have small errors.
constexpr std::size_t kPiece = 128;

/// Evenly spaced rows of a set, scaled and centred.
RowMajorF sampleOf(MatrixView set, const Frame& frame) {
    const std::size_t rows = std::min(kSampleRows, set.rows);
    RowMajorF sample(static_cast<Index>(rows), static_cast<Index>(set.dim));
    for (std::size_t r = 0; r < rows; ++r)
        tileKernels().scaleRow(set.rowData(r * set.rows / rows), frame.centre.data(), frame.scale, set.dim,
                               sample.row(static_cast<Index>(r)).data());
    return sample;
}

MatrixXd randomMatrix(Index rows, Index columns, std::mt19937& random) {
    // Uniform by hand: the distributions of the standard library differ between its makers.
    MatrixXd matrix(rows, columns);
    for (double& value : matrix.reshaped())
        value = static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) - 0.5;
    return matrix;
}

/// x times y transposed, in single precision.
RowMajorF product(const RowMajorF& x, const RowMajorF& y) {
    RowMajorF result(x.rows(), y.rows());
    multiply({x.data(), static_cast<std::size_t>(x.rows()), static_cast<std::size_t>(x.cols())},
             {y.data(), static_cast<std::size_t>(y.rows()), static_cast<std::size_t>(y.cols()),
              FloatFactor::Use::Transposed},
             Into::Replace, result.data());
    return result;
}

/// Directions (rows) that nearly span those of most variance: a few rounds of subspace iteration on the inner products
/// of the sample's rows, which are few.
RowMajorF leadingDirections(const RowMajorF& sample, Index dims, std::mt19937& random) {
    const auto rescale = [](RowMajorF& m) {
        m /= std::max(m.cwiseAbs().maxCoeff(), std::numeric_limits<float>::min());
    };
    RowMajorF inner = product(sample, sample);
    rescale(inner);
    RowMajorF weights = randomMatrix(dims, sample.rows(), random).cast<float>();
    for (int round = 0; round < kRounds; ++round) {
        weights = product(weights, inner);
        rescale(weights);
    }
    RowMajorF directions = product(weights, sample.transpose());
    rescale(directions);
    return directions;
}

MatrixView viewOf(const RowMajorF& m) {
    return {m.data(), static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols())};
}

/// Inner products of rows in double precision.
MatrixXd innerProducts(const RowMajorF& rows) {
    const std::vector<double> origin(static_cast<std::size_t>(rows.cols()), 0.0);
    const DoubleMatrix lower = gramOf(rowsOf(viewOf(rows), origin), 1);
    const auto n = static_cast<Index>(lower.rows);
    MatrixXd gram(n, n);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j <= i; ++j)
            gram(i, j) = gram(j, i) = lower.at(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    return gram;
}

/// Rows that span the same, each of unit length and at right angles to the others; fewer of them where the span has
/// fewer dimensions. Turned against each other at random, so that the variance is spread evenly.
RowMajorF orthonormalRows(const RowMajorF& rows, std::mt19937& random) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(innerProducts(rows));
    const double least = std::max(solver.eigenvalues().maxCoeff() * kNegligible, std::numeric_limits<double>::min());
    const Index rank = std::max<Index>(1, (solver.eigenvalues().array() > least).count());
    const MatrixXd turn = Eigen::HouseholderQR<MatrixXd>(randomMatrix(rank, rank, random)).householderQ();
    const Eigen::VectorXd inverse = solver.eigenvalues().tail(rank).cwiseMax(least).cwiseSqrt().cwiseInverse();
    DoubleMatrix weights(static_cast<std::size_t>(rank), static_cast<std::size_t>(rows.rows()));
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(weights.values.data(), rank,
                                                                                       rows.rows()) =
        turn * inverse.asDiagonal() * solver.eigenvectors().rightCols(rank).transpose();
    const std::vector<double> origin(static_cast<std::size_t>(rows.cols()), 0.0);
    const DoubleMatrix orthonormal = productOf(rowsOf(weights), columnsOf(viewOf(rows), origin), 1);
    RowMajorF result(rank, rows.cols());
    std::transform(orthonormal.values.begin(), orthonormal.values.end(), result.data(),
                   [](double value) { return static_cast<float>(value); });
    return result;
}

/// Rows that a product takes at least. For fewer the library compiles a kernel of its own, which takes longer than all
/// the products here.
constexpr std::size_t kFewestRows = 128;

} // namespace

/// Maps some rows at a time; one per worker.
class SubspaceProjection::Mapping {
public:
    explicit Mapping(const SubspaceProjection& map) : map_(map) {}

    /// Room for scaled rows, `count` x dim.
    float* room(std::size_t count) {
        if (count < kFewestRows)
            scaled_.assign(kFewestRows * map_.dim_, 0.0F);
        else
            scaled_.resize(count * map_.dim_);
        return scaled_.data();
    }

    /// Maps the rows in the room. @param images count x (dims + 1) @return the slack of the worst row
    double map(std::size_t count, float* images) {
        const std::size_t dims = map_.dims_;
        const std::size_t projected = std::max(count, kFewestRows);
        project(projected);
        double worst = 0.0;
        for (std::size_t r = 0; r < count; ++r) {
            float* image = images + r * (dims + 1);
            for (std::size_t c = 0; c < dims; ++c)
                image[c] = sum_[c * projected + r];
            const double whole = squaredLength(scaled_.data() + r * map_.dim_, map_.dim_);
            const double rest = std::sqrt(std::max(0.0, whole - squaredLength(image, dims)));
            image[dims] = static_cast<float>(rest) - map_.usualRest_;
            worst = std::max(worst, slackOf(std::sqrt(whole), rest));
        }
        return worst;
    }

private:
    /// The directions by the first `count` rows in the room: dims x count, summed piece by piece.
    void project(std::size_t count) {
        piece_.resize(map_.dims_ * count);
        sum_.resize(map_.dims_ * count);
        const auto m = static_cast<dnnl_dim_t>(map_.dims_);
        const auto n = static_cast<dnnl_dim_t>(count);
        const auto stride = static_cast<dnnl_dim_t>(map_.dim_);
        for (std::size_t from = 0; from < map_.dim_; from += kPiece) {
            const auto length = static_cast<dnnl_dim_t>(std::min(kPiece, map_.dim_ - from));
            requireProduct(dnnl_sgemm('N', 'T', m, n, length, 1.0F, map_.directions_.data() + from, stride,
                                      scaled_.data() + from, stride, 0.0F, piece_.data(), n));
            if (from == 0)
                std::swap(sum_, piece_);
            else
                for (std::size_t i = 0; i < sum_.size(); ++i)
                    sum_[i] += piece_[i];
        }
    }

    /// Of a row of this length, `rest` of which is left out.
    double slackOf(double length, double rest) const {
        const std::size_t pieces = (map_.dim_ + kPiece - 1) / kPiece;
        const double roundings = static_cast<double>(kPiece + pieces + 4) * kFloatUnit * 1.001;
        const double underflow = static_cast<double>(map_.dim_) * 0x1p-60;
        // Of V x: a coordinate is off by at most roundings * |v| |x|.
        const double projected = roundings * std::sqrt(static_cast<double>(map_.dims_)) * length * map_.stretch_;
        // Of t^2, by what |V x|^2 is off, from rounding and from V's own error; and so of t.
        const double squared =
            (map_.stretch_ * map_.stretch_ - 1.0 + 1e-12) * length * length + (2.1 * length + projected) * projected;
        const double ofRest = std::min(std::sqrt(squared), rest > 0.0 ? squared / rest : std::sqrt(squared));
        // Of the scaled row itself, of t as a float, and of its distance from its usual value.
        const double stored = 8.0 * kFloatUnit * (length + static_cast<double>(map_.usualRest_));
        return (projected + ofRest + stored + underflow) * (1.0 + 1e-9);
    }

    const SubspaceProjection& map_;
    std::vector<float> scaled_, piece_, sum_;
};

SubspaceProjection SubspaceProjection::of(MatrixView set, const Frame& frame, std::size_t dims, const JobContext& job) {
    const OneOpenMpThread alone;
    const RowMajorF sample = sampleOf(set, frame);
    std::mt19937 random(20261101);
    const RowMajorF directions = orthonormalRows(leadingDirections(sample, static_cast<Index>(dims), random), random);
    job.throwIfStopped();
    SubspaceProjection map(static_cast<std::size_t>(directions.rows()), set.dim);
    std::copy_n(directions.data(), map.directions_.size(), map.directions_.data());
    const MatrixXd error = innerProducts(directions) - MatrixXd::Identity(directions.rows(), directions.rows());
    map.stretch_ = std::sqrt(1.0 + error.norm() + 1e-12);
    const auto mapped = std::min<Index>(sample.rows(), static_cast<Index>(kFewestRows));
    RowMajorF images(mapped, directions.rows() + 1);
    Mapping mapping(map);
    std::copy_n(sample.data(), mapped * sample.cols(), mapping.room(static_cast<std::size_t>(mapped)));
    mapping.map(static_cast<std::size_t>(mapped), images.data());
    map.usualRest_ = images.col(directions.rows()).mean();
    return map;
}

ProjectedRows SubspaceProjection::project(MatrixView set, const Frame& frame, unsigned threads,
                                          const JobContext& job) const {
    std::vector<Mapping> mappings(resolveThreads(threads), Mapping(*this));
    std::mutex mutex;
    double slack = 0.0;
    const auto images = [&](std::size_t first, std::size_t count, unsigned worker, float* rows) {
        const OneOpenMpThread alone;
        float* scaled = mappings[worker].room(count);
        for (std::size_t r = 0; r < count; ++r)
            tileKernels().scaleRow(set.rowData(first + r), frame.centre.data(), frame.scale, dim_, scaled + r * dim_);
        const double worst = mappings[worker].map(count, rows);
        const std::scoped_lock lock(mutex);
        slack = std::max(slack, worst);
    };
    ProductOperand operand = ProductOperand::of(set.rows, dims(), images, threads, job);
    return {std::move(operand), slack};
}

float Shortcut::limitFor(float limit) const {
    if (!(limit > -std::numeric_limits<float>::infinity()))
        return limit;
    const double root = std::sqrt(std::max(0.0, static_cast<double>(limit))) * stretch + slack;
    return roundUp(root * root * (1.0 + 1e-12));
}

} // namespace assay

#include "engine/metrics/embedding/frechet_influence.h"

#include "engine/base/parallel.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/products/centred_products.h"
#include "engine/math/products/dense_product.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

namespace assay {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using ConstRow = Eigen::Map<const Eigen::VectorXd>;

DoubleMatrix transposed(const DoubleMatrix& matrix) {
    DoubleMatrix result = DoubleMatrix::unset(matrix.columns, matrix.rows);
    for (std::size_t r = 0; r < matrix.rows; ++r)
        for (std::size_t c = 0; c < matrix.columns; ++c)
            result.at(c, r) = matrix.at(r, c);
    return result;
}

/// The traces of the square roots of B without one sample, less that of B.
class LeaveOneOut {
public:
    LeaveOneOut(std::span<const double> values, std::size_t rows)
        : scale_(static_cast<double>(rows - 1) / static_cast<double>(rows - 2)),
          weight_(static_cast<double>(rows) / (static_cast<double>(rows - 1) * static_cast<double>(rows - 2))),
          takesRank_(values.size() + 1 >= rows),
          values_(scale_ * Eigen::Map<const ArrayXd>(values.data(), static_cast<Index>(values.size()))),
          rootSum_(Eigen::Map<const ArrayXd>(values.data(), static_cast<Index>(values.size())).sqrt().sum()) {
        if (values.empty())
            return;
        // Beyond these limits the integrand is below 1e-6 of its peak: it falls as t below and as t^-3 above.
        const double first = 0.5 * std::log(values_.minCoeff()) - 14.0;
        const double last = 0.5 * std::log(values_.maxCoeff()) + 6.0;
        const auto nodes = static_cast<Index>(std::ceil((last - first) / kStep)) + 1;
        squares_ = ArrayXd::LinSpaced(nodes, 2.0 * first, 2.0 * last).exp();
        weights_ = squares_.pow(1.5) * (last - first) / static_cast<double>(nodes - 1);
        const auto count = static_cast<Index>(values.size());
        inverses_.resize(count, 2 * nodes + 2);
        for (Index node = 0; node < nodes; ++node) {
            inverses_.col(2 * node) = (values_ + squares_[node]).inverse().square();
            inverses_.col(2 * node + 1) = (values_ * (values_ + squares_[node])).inverse();
        }
        inverses_.col(2 * nodes) = 0.5 * values_.rsqrt();
        inverses_.col(2 * nodes + 1) = values_.inverse();
    }

    double scale() const { return scale_; }
    double weight() const { return weight_; }

    /// @param projected squares of the sample's coordinates along the directions
    double rootSumChange(const Eigen::VectorXd& projected) const {
        if (values_.size() == 0)
            return 0.0;
        const ArrayXd sums = weight_ * (inverses_.transpose() * projected).array();
        const Index nodes = squares_.size();
        // 1 - b y . (l + t^2)^-1 y = left + t^2 b y . (l (l + t^2))^-1 y, without a difference of nearly equal numbers.
        // Where every sample alone keeps a direction from being empty, nothing is left.
        const double left = takesRank_ ? 0.0 : std::max(0.0, 1.0 - sums[2 * nodes + 1]);
        double rest = 0.0;
        for (Index node = 0; node < nodes; ++node) {
            const double remains = left + squares_[node] * sums[2 * node + 1];
            if (remains > 0.0)
                rest += weights_[node] * sums[2 * node] * (1.0 - remains) / remains;
        }
        return (std::sqrt(scale_) - 1.0) * rootSum_ - sums[2 * nodes] - 2.0 / std::numbers::pi * rest;
    }

private:
    static constexpr double kStep = 0.5; ///< of log t; the rule's error is exp(-pi^2 / step)

    double scale_, weight_; ///< S without a sample = scale S - weight x x^T
    bool takesRank_;        ///< B without a sample has one rank less
    ArrayXd values_;
    double rootSum_;
    ArrayXd squares_, weights_; ///< per node: t^2; t^3 times the step
    Eigen::MatrixXd inverses_;  ///< per value and node (l + t^2)^-2 and 1 / (l (l + t^2)), then 1 / (2 sqrt l), 1 / l
};

} // namespace

FrechetSpectrum frechetSpectrum(const GaussianFit& real, const GaussianFit& synthetic, unsigned threads,
                                const JobContext& job) {
    constexpr double kZero = 1e-12; // of the largest value
    FrechetSpectrum spectrum;
    spectrum.totalVariance = synthetic.totalVariance;
    spectrum.meanShift.resize(real.mean.size());
    std::ranges::transform(synthetic.mean, real.mean, spectrum.meanShift.begin(), std::minus());
    const DoubleMatrix cross =
        productOf(rowsOf(real.factor), rowsOf(synthetic.factor), threads, job.part({}, 0.0, 0.1));
    const Eigendecomposition found =
        symmetricEigendecomposition(gramOf(rowsOf(cross), threads, job.part({}, 0.1, 0.2)), job.part({}, 0.2, 0.8));
    const auto first = std::ranges::find_if(
        found.values, [&](double value) { return value > kZero * found.values.back() && value > 0.0; });
    spectrum.values.assign(first, found.values.end());
    DoubleMatrix vectors(spectrum.values.size(), found.vectors.columns);
    const std::size_t left = found.values.size() - spectrum.values.size();
    std::copy_n(found.vectors.row(left), vectors.values.size(), vectors.values.begin());
    const DoubleMatrix factor = transposed(real.factor);
    spectrum.directions = productOf(rowsOf(vectors), rowsOf(factor), threads, job.part({}, 0.8, 1.0));
    return spectrum;
}

std::vector<float> alongDirections(const FrechetSpectrum& spectrum, MatrixView set, const std::vector<double>& mean,
                                   unsigned threads, const JobContext& job) {
    std::vector<const float*> rows(set.rows);
    for (std::size_t row = 0; row < set.rows; ++row)
        rows[row] = set.rowData(row);
    const std::vector<float> centre(mean.begin(), mean.end());
    return projectRows(rows, centre, spectrum.directions, threads, job);
}

std::vector<double> frechetInfluence(const FrechetSpectrum& spectrum, MatrixView set, const std::vector<double>& mean,
                                     std::span<const float> projected, std::size_t samples, unsigned threads,
                                     const JobContext& job) {
    const LeaveOneOut without(spectrum.values, samples);
    const std::size_t count = spectrum.values.size();
    const ConstRow shift(spectrum.meanShift.data(), static_cast<Index>(set.dim));
    const ConstRow middle(mean.data(), static_cast<Index>(set.dim));
    const auto others = static_cast<double>(samples - 1);
    std::vector<double> influence(set.rows);
    parallelFor(set.rows, threads, job, [&](std::size_t row, unsigned) {
        const Eigen::VectorXd x =
            Eigen::Map<const Eigen::VectorXf>(set.rowData(row), static_cast<Index>(set.dim)).cast<double>() - middle;
        const Eigen::Map<const Eigen::ArrayXf> coordinates(projected.data() + row * count, static_cast<Index>(count));
        const double square = x.squaredNorm();
        const double change = -2.0 * shift.dot(x) / others + square / (others * others) +
                              (without.scale() - 1.0) * spectrum.totalVariance - without.weight() * square -
                              2.0 * without.rootSumChange(coordinates.cast<double>().square().matrix());
        influence[row] = -others * change;
    });
    return influence;
}

} // namespace assay

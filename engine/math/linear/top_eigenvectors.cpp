#include "engine/math/linear/top_eigenvectors.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <random>

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

} // namespace assay

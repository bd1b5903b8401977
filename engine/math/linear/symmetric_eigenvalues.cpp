#include "engine/math/linear/symmetric_eigenvalues.h"

#include "engine/base/large_array.h"
#include "engine/math/linear/tridiagonal_eigenvalues.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/products/symmetric_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kBlock = 32; // reflections between two updates of the matrix

/// Reduces a symmetric matrix to tridiagonal form by reflections I - beta u u^T, from the last row up, so that each
/// vector u lies in one row. A reflection turns A into A - u q^T - q u^T. Updates are collected and subtracted one
/// block at a time, as a matrix product; in between the matrix is only read (LAPACK's dsytrd).
class Tridiagonalization {
public:
    explicit Tridiagonalization(DoubleMatrix& matrix)
        : matrix_(matrix), size_(matrix.rows), u_(kBlock, size_), q_(kBlock, size_),
          next_(makeLargeArray<double>(size_)), image_(makeLargeArray<double>(size_)) {}

    void run(std::vector<double>& diagonal, std::vector<double>& below, const JobContext& job) {
        for (std::size_t i = size_ - 1; i > 0;) {
            job.throwIfStopped(); // several matrices share the cores: none of them reports progress
            const std::size_t end = i > kBlock ? i - kBlock : 0;
            for (taken_ = 0; i > end; --i, ++taken_) {
                updateRow(i);
                diagonal[i] = matrix_.at(i, i);
                const double beta = reflect(i, below[i - 1]);
                apply(i, beta);
            }
            updateRows(end + 1);
        }
        diagonal[0] = matrix_.at(0, 0);
    }

private:
    /// Applies the pending updates to the row of the next reflection.
    void updateRow(std::size_t i) {
        for (std::size_t t = 0; t < taken_; ++t)
            kernels_.subtract(u_.at(t, i), q_.row(t), q_.at(t, i), u_.row(t), i + 1, matrix_.row(i));
    }

    /// Computes the reflection that sets row i to zero, except for the last element before the diagonal.
    /// @return beta; the vector is in next_
    double reflect(std::size_t i, double& element) {
        const double* row = matrix_.row(i);
        std::copy_n(row, i, next_.get());
        const double others = kernels_.dot(row, row, i - 1);
        const double last = row[i - 1];
        element = last;
        if (others == 0.0) {
            std::fill_n(next_.get(), i, 0.0);
            return 0.0;
        }
        const double length = std::sqrt(others + last * last);
        element = last > 0.0 ? -length : length;
        next_[i - 1] = last - element;
        return 2.0 / (others + next_[i - 1] * next_[i - 1]);
    }

    /// Adds a reflection of the first i rows and columns to the pending updates.
    void apply(std::size_t i, double beta) {
        std::fill_n(image_.get(), i, 0.0);
        kernels_.multiply(matrix_.values.data(), size_, i, next_.get(), image_.get());
        for (std::size_t t = 0; t < taken_; ++t)
            kernels_.subtract(kernels_.dot(q_.row(t), next_.get(), i), u_.row(t),
                              kernels_.dot(u_.row(t), next_.get(), i), q_.row(t), i, image_.get());
        const double half = 0.5 * beta * beta * kernels_.dot(next_.get(), image_.get(), i);
        double* u = u_.row(taken_);
        double* q = q_.row(taken_);
        for (std::size_t m = 0; m < i; ++m) {
            u[m] = next_[m];
            q[m] = beta * image_[m] - half * next_[m];
        }
        // Behind i nothing of this reflection is ever read: rows from i on are finished.
    }

    /// Applies all pending updates to the first `rows` rows.
    void updateRows(std::size_t rows) {
        const auto pairs = [&](const DoubleMatrix& first, const DoubleMatrix& second) {
            return ProductVectors{rows, 2 * taken_, [&](const ProductVectors::Piece& piece, double* panel) {
                                      for (std::size_t k = 0; k < piece.length; ++k) {
                                          const std::size_t t = piece.from + k;
                                          const double* from = t < taken_ ? first.row(t) : second.row(t - taken_);
                                          std::copy_n(from + piece.first, piece.vectors, panel + k * piece.width);
                                      }
                                  }};
        };
        addProduct(pairs(u_, q_), pairs(q_, u_), -1.0, ProductPart::Lower, {matrix_.values.data(), size_}, 1);
    }

    DoubleMatrix& matrix_;
    std::size_t size_;
    const SymmetricKernels& kernels_ = symmetricKernels();
    DoubleMatrix u_, q_; ///< kBlock x n, one reflection per row
    std::size_t taken_ = 0;
    LargeArray<double> next_, image_; ///< aligned to cache lines, because they are read and written repeatedly
};

constexpr int kMostExponent = 1000; ///< largest exponent of the scale; the inverse of a power of two is exact

/// Largest magnitude in the lower triangle.
double largestMagnitude(const DoubleMatrix& symmetric) {
    std::array<double, 8> largest{}; // several at a time: each waits for the one before
    for (std::size_t i = 0; i < symmetric.rows; ++i) {
        const double* row = symmetric.row(i);
        std::size_t j = 0;
        for (; j + largest.size() <= i + 1; j += largest.size())
            for (std::size_t l = 0; l < largest.size(); ++l)
                largest[l] = std::max(largest[l], std::abs(row[j + l]));
        for (; j <= i; ++j)
            largest[0] = std::max(largest[0], std::abs(row[j]));
    }
    return *std::max_element(largest.begin(), largest.end());
}

} // namespace

std::vector<double> symmetricEigenvalues(DoubleMatrix symmetric, const JobContext& job) {
    const std::size_t n = symmetric.rows;
    if (n == 0)
        return {};
    const double largest = largestMagnitude(symmetric);
    if (largest == 0.0)
        return std::vector<double>(n, 0.0);
    // Squares of what comes in must neither overflow nor vanish. A power of two rounds nothing.
    const int exponent = std::clamp(std::ilogb(largest), -kMostExponent, kMostExponent);
    const double unit = std::ldexp(1.0, exponent);
    const double inverse = std::ldexp(1.0, -exponent);
    for (std::size_t i = 0; i < n; ++i)
        std::transform(symmetric.row(i), symmetric.row(i) + i + 1, symmetric.row(i),
                       [&](double value) { return value * inverse; });

    std::vector<double> diagonal(n);
    std::vector<double> below(n - 1);
    Tridiagonalization(symmetric).run(diagonal, below, job);
    job.throwIfStopped();
    std::vector<double> values = tridiagonalEigenvalues(std::move(diagonal), below);
    for (double& value : values)
        value *= unit;
    return values;
}

} // namespace assay

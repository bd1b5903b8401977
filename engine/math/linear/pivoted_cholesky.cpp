#include "engine/math/linear/pivoted_cholesky.h"

#include "engine/math/products/dense_product.h"
#include "engine/math/products/symmetric_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kBlock = 64;
/// Padding after each row: rows at distances of a power of two would evict each other from the caches during column
/// access.
constexpr std::size_t kApart = 8;

/// In-place factorisation: row i of `matrix_` contains L up to the current column, and the remaining part of S after
/// it.
class PivotedCholesky {
public:
    PivotedCholesky(DoubleMatrix symmetric, unsigned threads, const JobContext& job)
        : matrix_(symmetric.rows, symmetric.rows + kApart), size_(symmetric.rows), threads_(threads), job_(job),
          order_(size_), diagonal_(size_), result_(std::move(symmetric)) {
        for (std::size_t i = 0; i < size_; ++i)
            std::copy_n(result_.row(i), i + 1, matrix_.row(i));
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        for (std::size_t i = 0; i < size_; ++i)
            diagonal_[i] = matrix_.at(i, i);
        const double largest = size_ == 0 ? 0.0 : *std::max_element(diagonal_.begin(), diagonal_.end());
        least_ = static_cast<double>(size_) * std::numeric_limits<double>::epsilon() * largest;
    }

    DoubleMatrix run() {
        for (block_ = 0; block_ < size_; block_ += kBlock) {
            const double done = static_cast<double>(block_) / static_cast<double>(size_);
            job_.checkpoint(done);
            const std::size_t end = std::min(size_, block_ + kBlock);
            for (std::size_t column = block_; column < end; ++column)
                if (!eliminate(column))
                    return factor(column);
            updateRest(end, job_.part({}, done, done));
        }
        return factor(size_);
    }

private:
    /// Computes one column of L.
    /// @return false if only rounding error is left
    bool eliminate(std::size_t column) {
        const auto from = diagonal_.begin() + static_cast<std::ptrdiff_t>(column);
        const auto pivot = static_cast<std::size_t>(std::max_element(from, diagonal_.end()) - diagonal_.begin());
        if (!(diagonal_[pivot] > least_))
            return false;
        exchange(column, pivot);
        const double root = std::sqrt(diagonal_[column]);
        matrix_.at(column, column) = root;
        const double* head = matrix_.row(column);
        for (std::size_t i = column + 1; i < size_; ++i) {
            double* row = matrix_.row(i);
            const double known = kernels_.dot(row + block_, head + block_, column - block_);
            row[column] = (row[column] - known) / root;
            diagonal_[i] -= row[column] * row[column];
        }
        return true;
    }

    /// Swaps two rows and columns of the lower triangle.
    void exchange(std::size_t a, std::size_t b) {
        if (a == b)
            return;
        std::swap(order_[a], order_[b]);
        std::swap(diagonal_[a], diagonal_[b]);
        std::swap(matrix_.at(a, a), matrix_.at(b, b));
        std::swap_ranges(matrix_.row(a), matrix_.row(a) + a, matrix_.row(b));
        for (std::size_t k = a + 1; k < b; ++k)
            std::swap(matrix_.at(k, a), matrix_.at(b, k));
        for (std::size_t i = b + 1; i < size_; ++i)
            std::swap(matrix_.at(i, a), matrix_.at(i, b));
    }

    /// Subtracts the product of the finished block of columns from the remaining part of S.
    void updateRest(std::size_t end, const JobContext& job) {
        if (end >= size_)
            return;
        const ProductVectors rows{size_ - end, end - block_, [&](const ProductVectors::Piece& piece, double* panel) {
                                      for (std::size_t v = 0; v < piece.vectors; ++v)
                                          for (std::size_t k = 0; k < piece.length; ++k)
                                              panel[k * piece.width + v] =
                                                  matrix_.at(end + piece.first + v, block_ + piece.from + k);
                                  }};
        addProduct(rows, rows, -1.0, ProductPart::Lower, {matrix_.row(end) + end, matrix_.columns}, threads_, job);
        for (std::size_t i = end; i < size_; ++i)
            diagonal_[i] = matrix_.at(i, i);
    }

    /// The first `rank` columns of L as rows, in the original order of S and in its memory.
    DoubleMatrix factor(std::size_t rank) {
        constexpr std::size_t kLine = 8; // elements of L's rows that lie together, and of as many rows of the result
        result_.rows = rank;
        result_.values.assign(rank * size_, 0.0);
        for (std::size_t first = 0; first < rank; first += kLine)
            for (std::size_t i = first; i < size_; ++i)
                for (std::size_t k = first; k < std::min({rank, first + kLine, i + 1}); ++k)
                    result_.at(k, order_[i]) = matrix_.at(i, k);
        return std::move(result_);
    }

    DoubleMatrix matrix_;
    std::size_t size_;
    unsigned threads_;
    const JobContext& job_;
    std::vector<std::size_t> order_;
    std::vector<double> diagonal_;
    DoubleMatrix result_; ///< S, overwritten by the factor
    double least_ = 0.0;
    std::size_t block_ = 0;
    const SymmetricKernels& kernels_ = symmetricKernels();
};

} // namespace

DoubleMatrix factorOf(DoubleMatrix symmetric, unsigned threads, const JobContext& job) {
    return PivotedCholesky(std::move(symmetric), threads, job).run();
}

} // namespace assay

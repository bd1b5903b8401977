#include "engine/math/linear/pivoted_cholesky.h"

#include "engine/base/uninterruptible.h"
#include "engine/math/linear/lapack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace assay {
namespace {

/// Copies the lower triangle of rows to the upper one, which is the lower one of columns: dpstrf is faster on it.
void mirror(DoubleMatrix& matrix) {
    constexpr std::size_t kTile = 32; // rows and columns that stay in cache
    for (std::size_t row = 0; row < matrix.rows; row += kTile)
        for (std::size_t column = 0; column <= row; column += kTile)
            for (std::size_t i = row; i < std::min(matrix.rows, row + kTile); ++i)
                for (std::size_t j = column; j < std::min(i, column + kTile); ++j)
                    matrix.at(j, i) = matrix.at(i, j);
}

DoubleMatrix factorize(DoubleMatrix& matrix) {
    mirror(matrix);
    double largest = 0.0;
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        if (!std::isfinite(matrix.at(i, i)))
            return DoubleMatrix(0, matrix.columns);
        largest = std::max(largest, matrix.at(i, i));
    }
    const double least = static_cast<double>(matrix.rows) * std::numeric_limits<double>::epsilon() * largest;
    const lapack::PivotedCholesky found = lapack::pivotedCholesky(matrix, least);
    // Column k of L, from the diagonal on, in the order that S came in.
    DoubleMatrix factor(found.rank, matrix.columns);
    for (std::size_t k = 0; k < factor.rows; ++k)
        for (std::size_t i = k; i < matrix.columns; ++i)
            factor.at(k, found.pivots[i]) = matrix.at(k, i);
    return factor;
}

} // namespace

DoubleMatrix factorOf(DoubleMatrix symmetric, const JobContext& job) {
    if (symmetric.rows == 0)
        return symmetric;
    return runUninterruptible(job, [matrix = std::move(symmetric)]() mutable { return factorize(matrix); });
}

} // namespace assay

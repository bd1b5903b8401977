#include "engine/math/linear/singular_values.h"

#include "engine/math/linear/symmetric_eigenvalues.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

/// Lower triangle of [0, C^T; C, 0], whose eigenvalues are the singular values of a square matrix C and their
/// negatives.
DoubleMatrix doubled(const DoubleMatrix& square) {
    const std::size_t size = square.rows;
    DoubleMatrix matrix(2 * size, 2 * size);
    for (std::size_t r = 0; r < size; ++r)
        std::copy_n(square.row(r), size, matrix.row(size + r));
    return matrix;
}

/// The factor R of C^T = Q R. It is square with the number of C's rows and has the singular values of C.
DoubleMatrix triangleOf(const DoubleMatrix& wide, const JobContext& job) {
    using Matrix = Eigen::MatrixXd;
    constexpr Eigen::Index kColumns = 16; // between two looks at the stop token: some 10 ms
    const auto size = static_cast<Eigen::Index>(wide.rows);
    const auto length = static_cast<Eigen::Index>(wide.columns);
    // Row-major as it comes in is its transpose column-major.
    Matrix matrix = Eigen::Map<const Matrix>(wide.values.data(), length, size);
    for (Eigen::Index k = 0; k < size; k += kColumns) {
        job.throwIfStopped();
        const Eigen::Index columns = std::min(kColumns, size - k);
        const Eigen::Index left = size - k - columns;
        auto own = matrix.block(k, k, length - k, columns);
        const Eigen::HouseholderQR<Matrix> part(own);
        matrix.block(k, k + columns, length - k, left).applyOnTheLeft(part.householderQ().adjoint());
        own = part.matrixQR();
    }
    DoubleMatrix triangle(wide.rows, wide.rows);
    for (Eigen::Index r = 0; r < size; ++r)
        for (Eigen::Index c = r; c < size; ++c)
            triangle.at(static_cast<std::size_t>(r), static_cast<std::size_t>(c)) = matrix(r, c);
    return triangle;
}

DoubleMatrix transposed(const DoubleMatrix& matrix) {
    DoubleMatrix turned(matrix.columns, matrix.rows);
    for (std::size_t r = 0; r < matrix.rows; ++r)
        for (std::size_t c = 0; c < matrix.columns; ++c)
            turned.at(c, r) = matrix.at(r, c);
    return turned;
}

} // namespace

double singularValueSum(const DoubleMatrix& matrix, const JobContext& job) {
    if (matrix.rows == 0 || matrix.columns == 0)
        return 0.0;
    if (matrix.rows > matrix.columns)
        return singularValueSum(transposed(matrix), job);
    const bool square = matrix.rows == matrix.columns;
    double sum = 0.0;
    for (const double value : symmetricEigenvalues(doubled(square ? matrix : triangleOf(matrix, job)), job))
        sum += std::abs(value);
    return sum / 2.0;
}

} // namespace assay

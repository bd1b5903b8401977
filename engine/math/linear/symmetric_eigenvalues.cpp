#include "engine/math/linear/symmetric_eigenvalues.h"

#include "engine/base/uninterruptible.h"
#include "engine/math/products/one_blas_thread.h"

#include <cmath>
#include <lapack.h>
#include <limits>
#include <utility>

namespace assay {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

enum class Vectors : char { No = 'N', Yes = 'V' };

/// Eigenvalues of a matrix, which their eigenvectors replace where these are wanted.
std::vector<double> solve(DoubleMatrix& matrix, Vectors wanted) {
    requireOneBlasThread();
    constexpr char kUpper = 'U'; // in columns, which is the lower triangle in rows
    constexpr char kLargestMagnitude = 'M';
    constexpr lapack_int kAsk = -1;
    const auto vectors = static_cast<char>(wanted);
    const auto n = static_cast<lapack_int>(matrix.rows);
    double* const a = matrix.values.data();
    std::vector<double> values(matrix.rows, kNaN);
    if (!std::isfinite(LAPACK_dlansy(&kLargestMagnitude, &kUpper, &n, a, &n, nullptr)))
        return values;
    double workSize = 0.0;
    lapack_int integerSize = 0;
    lapack_int info = 0;
    LAPACK_dsyevd(&vectors, &kUpper, &n, a, &n, values.data(), &workSize, &kAsk, &integerSize, &kAsk, &info);
    std::vector<double> work(static_cast<std::size_t>(workSize));
    std::vector<lapack_int> integers(static_cast<std::size_t>(integerSize));
    const auto length = static_cast<lapack_int>(work.size());
    LAPACK_dsyevd(&vectors, &kUpper, &n, a, &n, values.data(), work.data(), &length, integers.data(), &integerSize,
                  &info);
    if (info != 0)
        values.assign(matrix.rows, kNaN);
    return values;
}

} // namespace

std::vector<double> symmetricEigenvalues(DoubleMatrix symmetric, const JobContext& job) {
    if (symmetric.rows == 0)
        return {};
    return runUninterruptible(job, [matrix = std::move(symmetric)]() mutable { return solve(matrix, Vectors::No); });
}

Eigendecomposition symmetricEigendecomposition(DoubleMatrix symmetric, const JobContext& job) {
    if (symmetric.rows == 0)
        return {};
    return runUninterruptible(job, [matrix = std::move(symmetric)]() mutable {
        std::vector<double> values = solve(matrix, Vectors::Yes);
        return Eigendecomposition{std::move(values), std::move(matrix)};
    });
}

} // namespace assay

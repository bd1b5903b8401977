#include "engine/math/linear/symmetric_eigenvalues.h"

#include "engine/base/uninterruptible.h"
#include "engine/math/products/one_blas_thread.h"
#include "engine/math/statistics/nan.h"

#include <cmath>
#include <lapack.h>
#include <utility>

namespace assay {
namespace {

constexpr char kNoVectors = 'N';
constexpr char kUpper = 'U'; // in columns, which is the lower triangle in rows
constexpr char kLargestMagnitude = 'M';

std::vector<double> eigenvaluesOf(DoubleMatrix& matrix) {
    requireOneBlasThread();
    const auto n = static_cast<lapack_int>(matrix.rows);
    double* const a = matrix.values.data();
    std::vector<double> values(matrix.rows, kNaN);
    if (!std::isfinite(LAPACK_dlansy(&kLargestMagnitude, &kUpper, &n, a, &n, nullptr)))
        return values;
    lapack_int info = 0;
    constexpr lapack_int kAsk = -1;
    double workSize = 0.0;
    lapack_int integers = 0;
    LAPACK_dsyevd(&kNoVectors, &kUpper, &n, a, &n, values.data(), &workSize, &kAsk, &integers, &kAsk, &info);
    std::vector<double> work(static_cast<std::size_t>(workSize));
    const auto length = static_cast<lapack_int>(work.size());
    LAPACK_dsyevd(&kNoVectors, &kUpper, &n, a, &n, values.data(), work.data(), &length, &integers, &integers, &info);
    if (info != 0)
        values.assign(matrix.rows, kNaN);
    return values;
}

} // namespace

std::vector<double> symmetricEigenvalues(DoubleMatrix symmetric, const JobContext& job) {
    if (symmetric.rows == 0)
        return {};
    return runUninterruptible(job, [matrix = std::move(symmetric)]() mutable { return eigenvaluesOf(matrix); });
}

} // namespace assay

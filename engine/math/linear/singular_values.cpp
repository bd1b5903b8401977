#include "engine/math/linear/singular_values.h"

#include "engine/base/uninterruptible.h"
#include "engine/math/products/one_blas_thread.h"

#include <algorithm>
#include <cmath>
#include <lapack.h>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double sumOf(DoubleMatrix& matrix) {
    requireOneBlasThread();
    if (!std::ranges::all_of(matrix.values, [](double value) { return std::isfinite(value); }))
        return kNaN;
    constexpr char kNoVectors = 'N';
    constexpr lapack_int kOne = 1;
    constexpr lapack_int kAsk = -1;
    // In columns it is the transpose, which has the same singular values.
    const auto rows = static_cast<lapack_int>(matrix.columns);
    const auto columns = static_cast<lapack_int>(matrix.rows);
    const std::size_t least = std::min(matrix.rows, matrix.columns);
    std::vector<double> values(least);
    std::vector<lapack_int> integers(8 * least);
    lapack_int info = 0;
    const auto call = [&](double* work, lapack_int length) {
        LAPACK_dgesdd(&kNoVectors, &rows, &columns, matrix.values.data(), &rows, values.data(), nullptr, &kOne, nullptr,
                      &kOne, work, &length, integers.data(), &info);
    };
    double workSize = 0.0;
    call(&workSize, kAsk);
    std::vector<double> work(static_cast<std::size_t>(workSize));
    call(work.data(), static_cast<lapack_int>(work.size()));
    return info == 0 ? std::accumulate(values.begin(), values.end(), 0.0) : kNaN;
}

} // namespace

double singularValueSum(DoubleMatrix matrix, const JobContext& job) {
    if (matrix.rows == 0 || matrix.columns == 0)
        return 0.0;
    return runUninterruptible(job, [own = std::move(matrix)]() mutable { return sumOf(own); });
}

} // namespace assay

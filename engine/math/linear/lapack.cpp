#include "engine/math/linear/lapack.h"

#include "engine/math/products/one_openmp_thread.h"

#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <lapack.h>
#include <limits>
#include <mutex>

namespace assay::lapack {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::mutex& onlyCall() {
    static std::mutex mutex;
    return mutex;
}

/// While it lives, the calling thread alone is in LAPACK, and LAPACK uses no other thread: the number of threads would
/// change the last digits. OpenBLAS's OpenMP build takes the number from OpenMP, the other one from itself.
class OneCall {
public:
    OneCall() : lock_(onlyCall()) { openblas_set_num_threads(1); }

private:
    std::scoped_lock<std::mutex> lock_;
    OneOpenMpThread alone_;
};

} // namespace

std::vector<double> symmetricEigenvalues(DoubleMatrix& matrix, Vectors wanted) {
    const OneCall call;
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

std::vector<double> singularValues(DoubleMatrix& matrix) {
    const OneCall call;
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
    const auto decompose = [&](double* work, lapack_int length) {
        LAPACK_dgesdd(&kNoVectors, &rows, &columns, matrix.values.data(), &rows, values.data(), nullptr, &kOne, nullptr,
                      &kOne, work, &length, integers.data(), &info);
    };
    double workSize = 0.0;
    decompose(&workSize, kAsk);
    std::vector<double> work(static_cast<std::size_t>(workSize));
    decompose(work.data(), static_cast<lapack_int>(work.size()));
    if (info != 0)
        values.assign(least, kNaN);
    return values;
}

PivotedCholesky pivotedCholesky(DoubleMatrix& matrix, double least) {
    const OneCall call;
    constexpr char kLower = 'L';
    const auto n = static_cast<lapack_int>(matrix.rows);
    std::vector<lapack_int> pivots(matrix.rows);
    std::vector<double> work(2 * matrix.rows);
    lapack_int rank = 0;
    lapack_int info = 0; // says once more whether the rank is less than n
    LAPACK_dpstrf(&kLower, &n, matrix.values.data(), &n, pivots.data(), &rank, &least, work.data(), &info);
    PivotedCholesky found{static_cast<std::size_t>(rank), {}};
    for (const lapack_int pivot : pivots)
        found.pivots.push_back(static_cast<std::size_t>(pivot - 1));
    return found;
}

} // namespace assay::lapack

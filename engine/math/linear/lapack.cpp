#include "engine/math/linear/lapack.h"

#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/base/run_alongside.h"
#include "engine/math/products/dense_product.h"

#include <cblas.h>
#include <lapack.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

namespace assay {
namespace {

/// The only place that calls LAPACK. Which build of OpenBLAS runs is the system's choice, and its serial build must not
/// be called by several threads at once: it hands out the same work buffer twice, and results are silently wrong. So
/// the process makes one call at a time, on the calling thread. None can be stopped: see runUninterruptible().
namespace lapack {

enum class Vectors : char { No = 'N', Yes = 'V' };

struct PivotedCholesky {
    std::size_t rank = 0;
    std::vector<std::size_t> pivots; ///< pivots[k] is the row and column of the matrix that came k-th
};

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::mutex& onlyCall() {
    static std::mutex mutex;
    return mutex;
}

/// Where address space is limited (ulimit -v), OpenBLAS asks for its work buffer for ever, or crashes. It keeps the
/// buffer that it once got.
void requireRoomForBuffer() {
    static bool isThere = false; // guarded by onlyCall()
    if (isThere)
        return;
    constexpr std::size_t kBufferBytes = std::size_t{160} << 20; // 128 MiB, and the pages around them
    void* const room = mmap(nullptr, kBufferBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        throw Error(ErrorKind::NotEnoughMemory,
                    "linear algebra: expected room for a buffer of " + bytesText(kBufferBytes) +
                        ", found a limit of the address space that leaves less; raise it (ulimit -v)");
    munmap(room, kBufferBytes);
    isThere = true;
}

/// While it lives, the calling thread alone is in LAPACK, and LAPACK uses no other thread: the number of threads would
/// change the last digits. OpenBLAS's OpenMP build takes the number from OpenMP, the other one from itself.
class OneCall {
public:
    OneCall() : lock_(onlyCall()) {
        requireRoomForBuffer();
        openblas_set_num_threads(1);
    }

private:
    std::scoped_lock<std::mutex> lock_;
    OneOpenMpThread alone_;
};

/// Eigenvalues by dsyevd.
/// @param matrix symmetric, its lower triangle; overwritten, with Vectors::Yes by the eigenvectors, one per row
/// @return ascending; NaN if an element is not finite or the iteration does not converge
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

/// Singular values by dgesdd.
/// @param matrix finite and not empty; overwritten
/// @return descending; NaN if the iteration does not converge
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

/// Cholesky factor with complete pivoting by dpstrf.
/// @param matrix symmetric, both triangles; overwritten: column i >= k of row k is element i of the factor's column k,
/// in the order of the pivots
/// @param least a pivot that is not above it ends the factorisation
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

} // namespace lapack

} // namespace

std::vector<double> symmetricEigenvalues(DoubleMatrix symmetric, const JobContext& job) {
    if (symmetric.rows == 0)
        return {};
    return runUninterruptible(job, [matrix = std::move(symmetric)]() mutable {
        return lapack::symmetricEigenvalues(matrix, lapack::Vectors::No);
    });
}

Eigendecomposition symmetricEigendecomposition(DoubleMatrix symmetric, const JobContext& job) {
    if (symmetric.rows == 0)
        return {};
    return runUninterruptible(job, [matrix = std::move(symmetric)]() mutable {
        std::vector<double> values = lapack::symmetricEigenvalues(matrix, lapack::Vectors::Yes);
        return Eigendecomposition{std::move(values), std::move(matrix)};
    });
}

double singularValueSum(DoubleMatrix matrix, const JobContext& job) {
    if (matrix.rows == 0 || matrix.columns == 0)
        return 0.0;
    if (!std::ranges::all_of(matrix.values, [](double value) { return std::isfinite(value); }))
        return std::numeric_limits<double>::quiet_NaN();
    return runUninterruptible(job, [own = std::move(matrix)]() mutable {
        const std::vector<double> values = lapack::singularValues(own);
        return std::accumulate(values.begin(), values.end(), 0.0);
    });
}

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

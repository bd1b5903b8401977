#pragma once

#include "engine/base/job_context.h"
#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/data/matrix_view.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace assay {

/// A row-major matrix of doubles: rows x columns, zero to begin with unless made by unset().
struct DoubleMatrix {
    DoubleMatrix() = default;
    DoubleMatrix(std::size_t rowCount, std::size_t columnCount)
        : rows(rowCount), columns(columnCount), values(rowCount * columnCount, 0.0) {}

    /// For those who set all elements themselves.
    static DoubleMatrix unset(std::size_t rowCount, std::size_t columnCount) {
        DoubleMatrix matrix;
        matrix.rows = rowCount;
        matrix.columns = columnCount;
        matrix.values = decltype(matrix.values)(rowCount * columnCount);
        return matrix;
    }

    double* row(std::size_t r) noexcept { return values.data() + r * columns; }
    const double* row(std::size_t r) const noexcept { return values.data() + r * columns; }
    double& at(std::size_t r, std::size_t c) noexcept { return values[r * columns + c]; }
    double at(std::size_t r, std::size_t c) const noexcept { return values[r * columns + c]; }

    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double, LargeAllocator<double>> values;
};

/// Replaces the elements (i, j), j <= i, of a square matrix by changed(i, j, element), on all cores.
/// @throws Cancelled
template <typename Changed>
void changeLowerTriangle(DoubleMatrix& matrix, unsigned threads, const JobContext& job, Changed changed) {
    constexpr std::size_t kRowsPerTask = 32;
    const std::size_t tasks = (matrix.rows + kRowsPerTask - 1) / kRowsPerTask;
    // The last rows are the longest: they go first, so that no worker is left with them.
    parallelFor(tasks, threads, job, [&](std::size_t task, unsigned) {
        const std::size_t first = (tasks - 1 - task) * kRowsPerTask;
        for (std::size_t i = first; i < std::min(matrix.rows, first + kRowsPerTask); ++i) {
            double* row = matrix.row(i);
            for (std::size_t j = 0; j <= i; ++j)
                row[j] = changed(i, j, row[j]);
        }
    });
}

/// oneDNN takes its number of threads from OpenMP's setting for the calling thread. While one of these lives, products
/// stay on the calling thread: our own workers share out the work.
class OneOpenMpThread {
public:
    OneOpenMpThread();
    ~OneOpenMpThread();
    OneOpenMpThread(const OneOpenMpThread&) = delete;
    OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

private:
    int before_;
};

/// Keeps single-precision products in single precision, whatever the library's environment asks for.
void requireSinglePrecision();

/// Passes a status of oneDNN. @throws std::bad_alloc; Error{InvalidArgument} for a product that was refused
void requireProduct(int status);

/// A row-major factor of a product, as it lies in memory.
struct FloatFactor {
    const float* data;
    std::size_t rows, columns;
    enum class Use { AsItIs, Transposed } use = Use::AsItIs;
};

enum class Into { Replace, Add };

/// Product of two row-major matrices in single precision, on the calling thread.
/// @param product as many rows as x (as used) and as many columns as y (as used), row-major
/// @throws std::bad_alloc; Error{InvalidArgument} when the library refuses
void multiply(const FloatFactor& x, const FloatFactor& y, Into into, float* product);

/// One operand of a product in double precision: `count` vectors of `depth` elements each, read a slice at a time so
/// that a conversion (float32 rows less their mean) needs no copy of the whole.
struct ProductVectors {
    std::size_t count = 0;
    std::size_t depth = 0;
    /// Whether the vectors are the rows or the columns of the stored matrix.
    enum class Are { Rows, Columns } are = Are::Rows;
    /// Writes `length` elements of a row of the stored matrix, from column `first` on. Called from several threads at
    /// once.
    std::function<void(std::size_t row, std::size_t first, std::size_t length, double* to)> read;
};

/// The rows of a matrix as vectors. The matrix has to outlive the result, as in all of these.
ProductVectors rowsOf(const DoubleMatrix& matrix);

/// Each row r of a set as the vector (row - mean) * scale[r]. @param mean dim values @param scale rows values, or empty
/// for 1
ProductVectors rowsOf(MatrixView set, std::span<const double> mean, std::span<const double> scale = {});

/// Each column of a set as a vector, its rows changed in the same way.
ProductVectors columnsOf(MatrixView set, std::span<const double> mean, std::span<const double> scale = {});

/// Inner products of a's vectors (rows) with b's (columns): a.count x b.count. Each is summed in the order of the
/// elements, wherever its vectors stand: the same to the last bit for any number of threads, and equal for equal
/// vectors, on one kind of processor.
/// @throws Error{InvalidArgument} when depths differ; Cancelled; std::bad_alloc
DoubleMatrix productOf(const ProductVectors& a, const ProductVectors& b, unsigned threads = 0,
                       const JobContext& job = {});

/// Inner products of the vectors among themselves: count x count, the lower triangle; what stands above is undefined.
/// @throws as productOf
DoubleMatrix gramOf(const ProductVectors& a, unsigned threads = 0, const JobContext& job = {});

} // namespace assay

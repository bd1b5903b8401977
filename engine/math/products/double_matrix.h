#pragma once

#include "engine/base/large_array.h"
#include "engine/base/parallel.h"

#include <algorithm>
#include <cstddef>
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

} // namespace assay

#pragma once

#include "engine/base/parallel.h"
#include "engine/math/products/double_matrix.h"

#include <algorithm>
#include <cstddef>

namespace assay {

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

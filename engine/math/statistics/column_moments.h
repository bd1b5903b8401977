#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <vector>

namespace assay {

/// Mean and standard deviation (with divisor N) of each column, d values each. The deviation of a constant column is
/// exactly 0.
struct ColumnMoments {
    std::vector<double> mean;
    std::vector<double> deviation;
};

/// Computes the moments of each column. The result is equal, to the last bit, for any number of threads.
/// @param set N x d
/// @param threads 0: all cores
/// @throws Cancelled
ColumnMoments columnMoments(MatrixView set, unsigned threads, const JobContext& job);

} // namespace assay

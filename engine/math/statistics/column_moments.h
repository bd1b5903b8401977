#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <vector>

namespace assay {

/// Mean and standard deviation (of N) of each column. A constant column's deviation is exactly 0.
struct ColumnMoments {
    std::vector<double> mean;
    std::vector<double> deviation;
};

/// The same to the last bit for any number of threads. @throws Cancelled
ColumnMoments columnMoments(MatrixView set, unsigned threads, const JobContext& job);

} // namespace assay

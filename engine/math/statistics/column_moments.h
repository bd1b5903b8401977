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

/// Summary of the standard deviations of a set's features.
struct FeatureScales {
    double typical = 0.0; ///< lower quartile over the features that vary; 0 if none does
    double largest = 0.0; ///< largest standard deviation
};

/// Computes the summary from at most 10,000 evenly spaced rows.
FeatureScales featureScales(MatrixView set);

/// Standard deviation (with divisor N) of each feature, from at most 10,000 evenly spaced rows: d values.
std::vector<double> featureDeviations(MatrixView set);

} // namespace assay

#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// Mean of each column, in double precision: d values, the same for any number of threads.
/// @param set N x d, N >= 1
/// @param threads 0 for every core
/// @throws Cancelled
std::vector<double> columnMeans(MatrixView set, unsigned threads = 0, const JobContext& job = {});

/// Column means and row lengths from one pass over a set's rows, in double precision.
struct RowSummary {
    std::vector<double> mean;          ///< of each column, d
    std::vector<double> inverseLength; ///< 1 / |x_r|, 0 for a row of zeros: N
    std::vector<double> meanDirection; ///< of each column of the rows x_r / |x_r|, d
};

/// The same for any number of threads; means are those of columnMeans.
/// @param set N x d, N >= 1
/// @throws Cancelled
RowSummary summarizeRows(MatrixView set, unsigned threads, const JobContext& job);

/// Euclidean distance of every row to one point, in double precision. Equal rows have equal distances, to the last bit.
/// @param set N x d
/// @param centre d values
/// @return N distances
/// @throws Cancelled
std::vector<double> distancesTo(std::span<const double> centre, MatrixView set, unsigned threads,
                                const JobContext& job);

/// The same to two points, in one reading of the set.
struct TwoDistances {
    std::vector<double> first, second; ///< N each
};
TwoDistances distancesToBoth(std::span<const double> first, std::span<const double> second, MatrixView set,
                             unsigned threads, const JobContext& job);

} // namespace assay

#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// Mean of each column, in double precision: d values, equal for any number of threads.
/// @param set N x d, N >= 1
/// @param threads 0: all cores
/// @throws Cancelled
std::vector<double> columnMeans(MatrixView set, unsigned threads = 0, const JobContext& job = {});

/// Column means and row lengths of a set, computed in one pass over its rows, in double precision.
struct RowSummary {
    std::vector<double> mean;          ///< mean of each column, d values
    std::vector<double> inverseLength; ///< 1 / |x_r| per row, N values; 0 for a row of zeros
    std::vector<double> meanDirection; ///< mean of each column of the rows x_r / |x_r|, d values
};

/// Computes the summary. The result is equal for any number of threads; means equal those of columnMeans().
/// @param set N x d, N >= 1
/// @param threads 0: all cores
/// @throws Cancelled
RowSummary summarizeRows(MatrixView set, unsigned threads, const JobContext& job);

/// Euclidean distance of every row to one point, in double precision. Equal rows have equal distances, to the last bit.
/// @param centre d values
/// @param set N x d
/// @param threads 0: all cores
/// @return N distances
/// @throws Cancelled
std::vector<double> distancesTo(std::span<const double> centre, MatrixView set, unsigned threads,
                                const JobContext& job);

/// Distances of every row to two points.
struct TwoDistances {
    std::vector<double> first, second; ///< N each
};
/// Computes distancesTo() for two points in one pass over the set.
/// @throws Cancelled
TwoDistances distancesToTwo(std::span<const double> first, std::span<const double> second, MatrixView set,
                            unsigned threads, const JobContext& job);

} // namespace assay

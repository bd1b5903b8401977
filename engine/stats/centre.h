#pragma once

#include "engine/data/matrix_view.h"
#include "engine/job/job_context.h"

#include <span>
#include <vector>

namespace assay {

/// Mean of each column of the rows x_r * scale[r], in double precision: d values, the same for any number of threads.
/// @param set N x d, N >= 1 @param scale N values, or empty for 1
/// @param threads 0 for every core
/// @throws Cancelled
std::vector<double> columnMeans(MatrixView set, std::span<const double> scale = {}, unsigned threads = 0,
                                const JobContext& job = {});

/// Euclidean distance of every row to one point, in double precision. Equal rows have equal distances, to the last bit.
/// @param set N x d
/// @param centre d values
/// @return N distances
/// @throws Cancelled
std::vector<double> distancesTo(std::span<const double> centre, MatrixView set, unsigned threads,
                                const JobContext& job);

} // namespace assay

#pragma once

#include "engine/data/matrix_view.h"
#include "engine/job/job_context.h"

#include <span>
#include <vector>

namespace assay {

/// Mean row of a set, in double precision: d values, the same whatever the number of threads.
/// @param set N x d, N >= 1
/// @param threads 0 for every core
/// @throws Cancelled
std::vector<double> meanRow(MatrixView set, unsigned threads, const JobContext& job);

/// Euclidean distance of every row to one point, in double precision. Equal rows have equal distances, to the last bit.
/// @param set N x d
/// @param centre d values
/// @return N distances
/// @throws Cancelled
std::vector<double> distancesTo(std::span<const double> centre, MatrixView set, unsigned threads,
                                const JobContext& job);

} // namespace assay

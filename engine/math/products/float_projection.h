#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/double_matrix.h"

#include <span>
#include <vector>

namespace assay {

/// Inner products of some rows, less a centre, with some directions. Products are summed in single precision a few
/// dozen at a time, and those sums in double: the error is about that of rounding the result to single precision.
/// @param rows first elements of vectors of d values each @param centre d values
/// @param directions p x d
/// @return rows x p
/// @throws Cancelled, std::bad_alloc
std::vector<float> projectRows(std::span<const float* const> rows, std::span<const float> centre,
                               const DoubleMatrix& directions, unsigned threads, const JobContext& job);

} // namespace assay

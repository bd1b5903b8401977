#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/double_matrix.h"

namespace assay {

/// F with S = F^T F of a positive semi-definite S, one row for each dimension that S really has: where the largest
/// pivot left is no more than rounding, the rest of S is taken for zero.
/// @param symmetric S, n x n, of which the lower triangle is read
/// @return r x n with r the numerical rank of S, 0 for the zero matrix
/// @throws Cancelled, std::bad_alloc
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 10.3; the blocked form as in LAPACK's dpstrf.
DoubleMatrix factorOf(DoubleMatrix symmetric, unsigned threads = 0, const JobContext& job = {});

} // namespace assay

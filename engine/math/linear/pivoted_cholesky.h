#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/double_matrix.h"

namespace assay {

/// Factor F of a positive semi-definite matrix S = F^T F, with as many rows as the numerical rank of S. If the largest
/// remaining pivot is no more than rounding error, the rest of S is treated as zero.
/// @param symmetric S, n x n; only the lower triangle is read
/// @param threads 0: all cores
/// @return r x n, where r is the numerical rank of S; r = 0 for the zero matrix
/// @throws Cancelled, std::bad_alloc
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 10.3; the blocked form as in LAPACK's dpstrf.
DoubleMatrix factorOf(DoubleMatrix symmetric, unsigned threads = 0, const JobContext& job = {});

} // namespace assay

#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/double_matrix.h"

namespace assay {

/// Factor F of a positive semi-definite matrix S = F^T F, with as many rows as the numerical rank of S, by LAPACK's
/// dpstrf. If the largest remaining pivot is at most n * 2^-52 of the largest element, the rest of S is treated as
/// zero. Keeps one core busy.
/// @param symmetric S, n x n; only the lower triangle is read; consumed
/// @return r x n, where r is the numerical rank of S; r = 0 for the zero matrix and if the diagonal is not finite. The
///         largest element of a row is the square root of its pivot
/// @throws Cancelled, while the LAPACK call goes on for a while (engine/base/uninterruptible.h); std::bad_alloc
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 10.3.
DoubleMatrix factorOf(DoubleMatrix symmetric, const JobContext& job = {});

} // namespace assay

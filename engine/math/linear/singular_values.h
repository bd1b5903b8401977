#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/double_matrix.h"

namespace assay {

/// Sum of the singular values of a matrix, each with an error of about n * 2^-53 of the largest, by LAPACK's dgesdd.
/// The square roots of the eigenvalues of C C^T take a quarter of the time, but lose the digits of small values. Keeps
/// one core busy.
/// @param matrix any shape; consumed
/// @return the sum; NaN if a value of the matrix is not finite
/// @throws Cancelled, while the LAPACK call goes on for a while (engine/base/uninterruptible.h); std::bad_alloc
double singularValueSum(DoubleMatrix matrix, const JobContext& job = {});

} // namespace assay

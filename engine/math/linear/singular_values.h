#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/double_matrix.h"

namespace assay {

/// Sum of the singular values of a matrix, each with an error of about n * 2^-53 of the largest. They are computed as
/// eigenvalues of a symmetric matrix of twice the size. This takes eight times as long as the square roots of the
/// eigenvalues of C C^T, but it keeps the digits of small values. Runs on the calling thread.
/// @throws Cancelled, std::bad_alloc
/// Source: Golub and Van Loan, Matrix Computations, 8.6.
double singularValueSum(const DoubleMatrix& matrix, const JobContext& job = {});

} // namespace assay

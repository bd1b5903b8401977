#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/double_matrix.h"

namespace assay {

/// Sum of the singular values of a matrix, each off by some n * 2^-53 of the largest: as eigenvalues of a symmetric
/// matrix of twice the size, which takes eight times as long as the roots of the eigenvalues of C C^T, but does not
/// square what is small. Runs on the calling thread.
/// @throws Cancelled, std::bad_alloc
/// Source: Golub and Van Loan, Matrix Computations, 8.6.
double singularValueSum(const DoubleMatrix& matrix, const JobContext& job = {});

} // namespace assay

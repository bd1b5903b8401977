#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/double_matrix.h"

#include <vector>

namespace assay {

/// All eigenvalues of a symmetric matrix, without eigenvectors: Householder reduction to tridiagonal form, then QL.
/// Each has an error of about n * 2^-53 of the largest magnitude. Runs on the calling thread, so that several matrices
/// can share the cores.
/// @param symmetric n x n, all values finite; only the lower triangle is read; consumed
/// @return n values, ascending
/// @throws Cancelled
/// Source: Golub and Van Loan, Matrix Computations, 8.3.
std::vector<double> symmetricEigenvalues(DoubleMatrix symmetric, const JobContext& job = {});

} // namespace assay

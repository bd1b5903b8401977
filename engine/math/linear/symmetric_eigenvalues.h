#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/double_matrix.h"

#include <vector>

namespace assay {

/// All eigenvalues of a symmetric matrix, without vectors: Householder reduction to three diagonals, then QL.
/// Each is off by some n * 2^-53 of the largest in magnitude. Runs on the calling thread: several matrices can share
/// the cores.
/// @param symmetric n x n, of which the lower triangle is read; used up. Every value finite
/// @return n values, ascending
/// @throws Cancelled
/// Source: Golub and Van Loan, Matrix Computations, 8.3.
std::vector<double> symmetricEigenvalues(DoubleMatrix symmetric, const JobContext& job = {});

} // namespace assay

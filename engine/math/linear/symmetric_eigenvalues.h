#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/double_matrix.h"

#include <vector>

namespace assay {

/// All eigenvalues of a symmetric matrix, without eigenvectors, by LAPACK's dsyevd. Each has an error of about n *
/// 2^-53 of the largest magnitude. Keeps one core busy, so that several matrices can share the cores.
/// @param symmetric n x n; only the lower triangle is read; consumed
/// @return n values, ascending; all NaN if a value of the matrix is not finite
/// @throws Cancelled, while the LAPACK call goes on for a while (engine/base/uninterruptible.h); std::bad_alloc
std::vector<double> symmetricEigenvalues(DoubleMatrix symmetric, const JobContext& job = {});

/// Eigenvalues and eigenvectors of a symmetric n x n matrix.
struct Eigendecomposition {
    std::vector<double> values; ///< n values, ascending
    DoubleMatrix vectors;       ///< n x n; row i is the eigenvector of values[i], of unit length and either sign
};

/// The same as symmetricEigenvalues, with eigenvectors. Takes several times as long, and memory for another 2 n^2
/// values.
Eigendecomposition symmetricEigendecomposition(DoubleMatrix symmetric, const JobContext& job = {});

} // namespace assay

#pragma once

#include "engine/base/job_context.h"
#include "engine/math/products/dense_product.h"

#include <vector>

// Decompositions of matrices by LAPACK.

namespace assay {

/// All eigenvalues of a symmetric matrix, without eigenvectors, by LAPACK's dsyevd. Each has an error of about n *
/// 2^-53 of the largest magnitude. Keeps one core busy, so that several matrices can share the cores.
/// @param symmetric n x n; only the lower triangle is read; consumed
/// @return n values, ascending; all NaN if a value of the matrix is not finite
/// @throws Cancelled, while the LAPACK call goes on for a while (engine/base/run_alongside.h); std::bad_alloc
std::vector<double> symmetricEigenvalues(DoubleMatrix symmetric, const JobContext& job = {});

/// Eigenvalues and eigenvectors of a symmetric n x n matrix.
struct Eigendecomposition {
    std::vector<double> values; ///< n values, ascending
    DoubleMatrix vectors;       ///< n x n; row i is the eigenvector of values[i], of unit length and either sign
};

/// The same as symmetricEigenvalues, with eigenvectors. Takes several times as long, and memory for another 2 n^2
/// values.
Eigendecomposition symmetricEigendecomposition(DoubleMatrix symmetric, const JobContext& job = {});

/// Sum of the singular values of a matrix, each with an error of about n * 2^-53 of the largest, by LAPACK's dgesdd.
/// The square roots of the eigenvalues of C C^T take a quarter of the time, but lose the digits of small values. Keeps
/// one core busy.
/// @param matrix any shape; consumed
/// @return the sum; NaN if a value of the matrix is not finite
/// @throws Cancelled, while the LAPACK call goes on for a while (engine/base/run_alongside.h); std::bad_alloc
double singularValueSum(DoubleMatrix matrix, const JobContext& job = {});

/// Factor F of a positive semi-definite matrix S = F^T F, with as many rows as the numerical rank of S, by LAPACK's
/// dpstrf. If the largest remaining pivot is at most n * 2^-52 of the largest element, the rest of S is treated as
/// zero. Keeps one core busy.
/// @param symmetric S, n x n; only the lower triangle is read; consumed
/// @return r x n, where r is the numerical rank of S; r = 0 for the zero matrix and if the diagonal is not finite. The
///         largest element of a row is the square root of its pivot
/// @throws Cancelled, while the LAPACK call goes on for a while (engine/base/run_alongside.h); std::bad_alloc
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 10.3.
DoubleMatrix factorOf(DoubleMatrix symmetric, const JobContext& job = {});

} // namespace assay

#pragma once

#include "engine/math/products/double_matrix.h"

#include <cstddef>
#include <vector>

/// The only place that calls LAPACK. Which build of OpenBLAS runs is the system's choice, and its serial build must not
/// be called by several threads at once: it hands out the same work buffer twice, and results are silently wrong. So
/// the process makes one call at a time, on the calling thread. None can be stopped: see runUninterruptible().
namespace assay::lapack {

enum class Vectors : char { No = 'N', Yes = 'V' };

/// Eigenvalues by dsyevd.
/// @param matrix symmetric, its lower triangle; overwritten, with Vectors::Yes by the eigenvectors, one per row
/// @return ascending; NaN if an element is not finite or the iteration does not converge
std::vector<double> symmetricEigenvalues(DoubleMatrix& matrix, Vectors wanted);

/// Singular values by dgesdd.
/// @param matrix finite and not empty; overwritten
/// @return descending; NaN if the iteration does not converge
std::vector<double> singularValues(DoubleMatrix& matrix);

struct PivotedCholesky {
    std::size_t rank = 0;
    std::vector<std::size_t> pivots; ///< pivots[k] is the row and column of the matrix that came k-th
};

/// Cholesky factor with complete pivoting by dpstrf.
/// @param matrix symmetric, both triangles; overwritten: column i >= k of row k is element i of the factor's column k,
/// in the order of the pivots
/// @param least a pivot that is not above it ends the factorisation
PivotedCholesky pivotedCholesky(DoubleMatrix& matrix, double least);

} // namespace assay::lapack

#pragma once

#include <vector>

namespace assay {

/// All eigenvalues of a symmetric tridiagonal matrix, by QL and QR steps without square roots.
/// @param diagonal n values
/// @param below n - 1 values below the diagonal; all values and their squares are finite
/// @return n values, ascending
/// Source: Parlett, The Symmetric Eigenvalue Problem, chapter 8 (Pal, Walker and Kahan); LAPACK's dsterf.
std::vector<double> tridiagonalEigenvalues(std::vector<double> diagonal, const std::vector<double>& below);

} // namespace assay

#pragma once

#include <vector>

namespace assay {

/// All eigenvalues of a symmetric matrix of three diagonals, by QL and QR steps without square roots.
/// @param diagonal n values @param below n - 1 values. All finite, and their squares as well
/// @return n values, ascending
/// Source: Parlett, The Symmetric Eigenvalue Problem, chapter 8 (Pal, Walker and Kahan); LAPACK's dsterf.
std::vector<double> tridiagonalEigenvalues(std::vector<double> diagonal, const std::vector<double>& below);

} // namespace assay

#pragma once

#include "engine/data/matrix_view.h"

#include <vector>

namespace assay::test {

/// Rows of long doubles, for oracles.
using LongMatrix = std::vector<std::vector<long double>>;

/// Singular values by one-sided Jacobi rotations of the rows, in no order, as many as there are rows: slow, and right
/// to the last digits of even the smallest.
std::vector<double> singularValues(LongMatrix rows);

/// Rows less their mean, over sqrt(N - 1).
LongMatrix centredRows(MatrixView set);

/// a b^T.
LongMatrix timesTransposed(const LongMatrix& a, const LongMatrix& b);

} // namespace assay::test

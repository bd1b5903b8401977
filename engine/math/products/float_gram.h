#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/double_matrix.h"

#include <cstddef>
#include <span>

namespace assay {

/// Inner products of the columns of y_r = x_r * scale[r] - mean among themselves, over the rows x_r of a set: d x d,
/// the lower triangle. More than twice as quick as gramOf(columnsOf(..)), at the price of digits: y is rounded to
/// single precision, which is as if each of its elements had been off by 2^-25 of itself; products are summed in single
/// precision 64 at a time, and those sums in double. For y without a mean element (i, j) is off by about
/// kFloatGramError(N) * sqrt((i, i) (j, j)), at random. The same to the last bit for any number of threads.
/// @param mean d values @param scale N values, or empty for 1
/// @throws Cancelled, std::bad_alloc
DoubleMatrix floatGram(MatrixView set, std::span<const double> mean, std::span<const double> scale, unsigned threads,
                       const JobContext& job);

/// Below this many columns the quicker product would save too little to be worth any digit.
inline constexpr std::size_t kFewColumns = 256;

/// What one element is off by, as a share, on average over the elements.
double floatGramError(std::size_t rows);

} // namespace assay

#pragma once

#include "engine/base/compute_context.h"
#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/dense_product.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

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

/// Relative error of one element, on average over the elements.
double floatGramError(std::size_t rows);

/// Inner products of some rows, less a centre, with some directions. Products are summed in single precision a few
/// dozen at a time, and those sums in double: the error is about that of rounding the result to single precision.
/// @param rows first elements of vectors of d values each @param centre d values
/// @param directions p x d
/// @return rows x p
/// @throws Cancelled, std::bad_alloc
std::vector<float> projectRows(std::span<const float* const> rows, std::span<const float> centre,
                               const DoubleMatrix& directions, unsigned threads, const JobContext& job);

/// Accelerator that computes products of the columns of a set.
class GramAccelerator : public virtual Accelerator {
public:
    /// Inner products of all pairs of columns of y_r = x_r * scale[r] - mean, over the rows x_r of a set: d x d, lower
    /// triangle, with zeros above it. Computed in double precision. Equal, to the last bit, on every run and for any
    /// amount of memory, but the rounding differs from the CPU's.
    /// @param mean d values
    /// @param scale N values, or empty for 1
    /// @return empty if the accelerator declines
    /// @throws Error{DeviceFailed}, Cancelled
    virtual std::optional<DoubleMatrix> gram(MatrixView set, std::span<const double> mean,
                                             std::span<const double> scale, const JobContext& job) const = 0;
};

} // namespace assay

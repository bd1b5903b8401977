#pragma once

#include "engine/base/accelerator.h"
#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/double_matrix.h"

#include <optional>
#include <span>

namespace assay {

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

#pragma once

#include "engine/base/accelerator.h"
#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/double_matrix.h"

#include <optional>
#include <span>

namespace assay {

/// A graphics card that multiplies the columns of a set.
class GramAccelerator : public virtual Accelerator {
public:
    /// Inner products of the columns of y_r = x_r * scale[r] - mean among themselves, over the rows x_r of a set:
    /// d x d, the lower triangle, zeros above. In double precision throughout; the same to the last bit on every run
    /// and whatever memory there is, but not what the CPU's sums round to.
    /// @param mean d values @param scale N values, or empty for 1
    /// @return nothing where it declines
    /// @throws Error{DeviceFailed}, Cancelled
    virtual std::optional<DoubleMatrix> gram(MatrixView set, std::span<const double> mean,
                                             std::span<const double> scale, const JobContext& job) const = 0;
};

} // namespace assay

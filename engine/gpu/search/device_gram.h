#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/gpu/device/device.h"
#include "engine/math/products/double_matrix.h"

#include <optional>
#include <span>

namespace assay::cuda {

/// GramAccelerator::gram on one device. Rows are copied to it in chunks, smaller ones where memory is short.
/// @return nothing where the smallest chunk does not fit
/// @throws Error{DeviceFailed}, Cancelled
std::optional<DoubleMatrix> gramOnDevice(Device& device, MatrixView set, std::span<const double> mean,
                                         std::span<const double> scale, const JobContext& job);

} // namespace assay::cuda

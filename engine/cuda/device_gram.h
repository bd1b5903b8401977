#pragma once

#include "engine/cuda/device.h"
#include "engine/data/matrix_view.h"
#include "engine/job/job_context.h"
#include "engine/stats/double_matrix.h"

#include <optional>
#include <span>

namespace assay::cuda {

/// Accelerator::gram on one device: rows pass through its memory a chunk at a time, smaller ones where memory is short.
/// @return nothing where even the smallest chunk does not fit
/// @throws Error{DeviceFailed}, Cancelled
std::optional<DoubleMatrix> gramOnDevice(Device& device, MatrixView set, std::span<const double> mean,
                                         std::span<const double> scale, const JobContext& job);

} // namespace assay::cuda

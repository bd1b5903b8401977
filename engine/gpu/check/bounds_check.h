#pragma once

#include "engine/gpu/device/device.h"

#include <string>

namespace assay::cuda {

/// Compares what a device computes for one small set before it multiplies tiles: rounded rows and their bounds, bounds
/// of balls and the longest list with the CPU's, bit for bit; products on the tensor cores, whose sums no order is
/// documented for, with the bounds that they have to keep (bounds.h).
/// @return the first difference in words; empty where there is none
/// @throws Error{DeviceFailed}, OutOfDeviceMemory
std::string boundsDifference(Device& device);

} // namespace assay::cuda

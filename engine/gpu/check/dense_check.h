#pragma once

#include "engine/gpu/search/device_accelerator.h"

#include <string>

namespace assay::cuda {

/// Compares what a device computes beside the search with the CPU on small data sets: a product of columns to 1e-12 of
/// the product of both columns' norms, losses and gradients of the one-class network to 1e-4 of the largest, the layout
/// bit for bit.
/// @return the first difference in words; empty where there is none
/// @throws Error{DeviceFailed}; Error{NotEnoughMemory} where the device declines for want of memory
std::string denseDifference(const DeviceAccelerator& accelerator);

} // namespace assay::cuda

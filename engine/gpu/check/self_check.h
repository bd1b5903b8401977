#pragma once

#include "engine/gpu/device/device.h"

#include <memory>
#include <string>

namespace assay::cuda {

/// Runs every kernel of a device on small data sets and compares with the CPU: bounds, k-nearest lists and ball counts
/// bit for bit, products of columns, training and layout within their tolerance. The CPU's part takes 0.2 s
/// on one core.
/// @return the first difference: which check, which row, what was expected and found; empty where there is none
/// @throws Error{DeviceFailed}; Error{NotEnoughMemory} where too little memory is free
std::string selfCheckDifference(std::unique_ptr<Device> device);

} // namespace assay::cuda

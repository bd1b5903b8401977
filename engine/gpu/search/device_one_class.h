#pragma once

#include "engine/gpu/device/device.h"
#include "engine/metrics/one_class/one_class_network.h"

#include <memory>
#include <mutex>

namespace assay::cuda {

/// OneClassAccelerator::oneClass on one device. A set that fits into its memory stays there; otherwise every
/// computation copies it in chunks.
/// @param inUse locked by the caller now; by the result while it uses the device
/// @return null where the smallest chunk does not fit
/// @throws Error{DeviceFailed}
std::unique_ptr<OneClassDescent> descentOnDevice(Device& device, std::mutex& inUse, const OneClassRows& rows);

} // namespace assay::cuda

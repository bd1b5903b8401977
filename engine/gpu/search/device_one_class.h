#pragma once

#include "engine/gpu/device/device.h"
#include "engine/metrics/one_class/one_class_network.h"

#include <memory>
#include <mutex>

namespace assay::cuda {

/// OneClassAccelerator::oneClass on one device. Where the set fits into its memory it stays there; otherwise it passes
/// through in chunks at every computation.
/// @param inUse held by the caller now; by the result while it uses the device
/// @return null where even the smallest chunk does not fit
/// @throws Error{DeviceFailed}
std::unique_ptr<OneClassDescent> descentOnDevice(Device& device, std::mutex& inUse, const OneClassRows& rows);

} // namespace assay::cuda

#pragma once

#include "engine/gpu/device/devices.h"

#include <cstddef>
#include <memory>

namespace assay::cuda {

// Defined only in builds with CUDA (ASSAY_HAVE_CUDA). Code outside this folder calls devices.h.

/// The devices that the driver lists; none without a driver.
DeviceList findCudaDevices();
/// @param number in findCudaDevices().usable
std::unique_ptr<Device> openCudaDevice(std::size_t number, unsigned threads);

} // namespace assay::cuda

#pragma once

#include "engine/gpu/device/devices.h"

#include <cstddef>
#include <memory>

namespace assay::cuda {

// Defined only where CUDA is built in (ASSAY_HAVE_CUDA); everyone else calls devices.h.

/// Asks the driver, where there is one.
DeviceList findCudaDevices();
/// @param number in findCudaDevices().usable
std::unique_ptr<Device> openCudaDevice(std::size_t number, unsigned threads);

} // namespace assay::cuda

#pragma once

#include "engine/gpu/device/device.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay::cuda {

/// The graphics cards of this machine that this build can use.
struct DeviceList {
    std::vector<DeviceInfo> usable; ///< in the order of openDevice()'s numbers
    std::string missing;            ///< a sentence that says why `usable` is empty
};

/// Queries the driver at the first call, which takes 0.1 s where there is one. Safe from any thread.
const DeviceList& deviceList();

/// @param threads for copies on the host, 0 for every core
/// @throws Error{DeviceFailed}
std::unique_ptr<Device> openDevice(std::size_t number, unsigned threads);

// Defined only in builds with CUDA (ASSAY_HAVE_CUDA). Code outside this folder calls the functions above.

/// The devices that the driver lists; none without a driver.
DeviceList findCudaDevices();
/// @param number in findCudaDevices().usable
std::unique_ptr<Device> openCudaDevice(std::size_t number, unsigned threads);

} // namespace assay::cuda

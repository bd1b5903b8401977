#pragma once

#include "engine/gpu/device/device.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay::cuda {

/// What this machine and this build offer.
struct DeviceList {
    std::vector<DeviceInfo> usable; ///< numbered as openDevice() counts them
    std::string missing;            ///< where there is none: what is missing, a whole sentence
};

/// Looked up once, at the first call; takes a tenth of a second where there is a driver.
const DeviceList& deviceList();

/// @param threads for copies on the host, 0 for every core
/// @throws Error{DeviceFailed}
std::unique_ptr<Device> openDevice(std::size_t number, unsigned threads);

/// Every usable device.
/// @throws Error{DeviceFailed} saying what is missing when there is none
std::vector<std::unique_ptr<Device>> openDevices(unsigned threads);

} // namespace assay::cuda

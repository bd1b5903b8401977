#pragma once

#include "engine/gpu/device/device.h"

#include <memory>
#include <vector>

namespace assay::cuda::test {

/// Every usable device; the first one has to exist.
/// @throws Error{DeviceFailed} saying what is missing when there is none
inline std::vector<std::unique_ptr<Device>> openDevices(unsigned threads) {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(openDevice(0, threads));
    for (std::size_t d = 1; d < deviceList().usable.size(); ++d)
        devices.push_back(openDevice(d, threads));
    return devices;
}

} // namespace assay::cuda::test

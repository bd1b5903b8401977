#pragma once

#include "engine/gpu/device/device.h"

#include <cstddef>

namespace assay::cuda {

/// Device memory, released by the destructor.
class DeviceBuffer {
public:
    /// @throws OutOfDeviceMemory
    DeviceBuffer(Device& device, std::size_t bytes) : device_(device), base_(device.allocate(bytes)) {}
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    ~DeviceBuffer() { device_.release(base_); }
    std::byte* base() const noexcept { return base_; }

private:
    Device& device_;
    std::byte* base_;
};

} // namespace assay::cuda

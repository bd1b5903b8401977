#pragma once

#include "engine/gpu/device/device.h"

#include <cstddef>

namespace assay::cuda {

/// A piece of device memory that is given back.
class DevicePiece {
public:
    /// @throws OutOfDevicePiece
    DevicePiece(Device& device, std::size_t bytes) : device_(device), base_(device.allocate(bytes)) {}
    DevicePiece(const DevicePiece&) = delete;
    DevicePiece& operator=(const DevicePiece&) = delete;
    ~DevicePiece() { device_.release(base_); }
    std::byte* base() const noexcept { return base_; }

private:
    Device& device_;
    std::byte* base_;
};

} // namespace assay::cuda

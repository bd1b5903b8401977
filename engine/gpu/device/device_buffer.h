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

/// Divides one block of device memory into consecutive, aligned arrays.
class Carver {
public:
    /// @param base aligned to 256 bytes; null to compute used() alone
    explicit Carver(std::byte* base) : base_(base) {}

    template <typename T>
    T* take(std::size_t count) {
        constexpr std::size_t kAlignment = 256;
        T* array = base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + used_);
        used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
        return array;
    }
    std::size_t used() const noexcept { return used_; }

private:
    std::byte* base_;
    std::size_t used_ = 0;
};

} // namespace assay::cuda

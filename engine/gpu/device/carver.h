#pragma once

#include <cstddef>

namespace assay::cuda {

/// Hands out consecutive, aligned pieces of device memory.
class Carver {
public:
    /// @param base aligned to 256 bytes; null to learn how many bytes the pieces take
    explicit Carver(std::byte* base) : base_(base) {}

    template <typename T>
    T* take(std::size_t count) {
        constexpr std::size_t kAlignment = 256;
        T* piece = base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + used_);
        used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
        return piece;
    }
    std::size_t used() const noexcept { return used_; }

private:
    std::byte* base_;
    std::size_t used_ = 0;
};

} // namespace assay::cuda

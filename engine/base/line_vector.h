#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace assay {

/// Allocator whose memory begins at a cache line (64 bytes).
template <typename T>
struct LineAllocator {
    using value_type = T;

    LineAllocator() = default;
    template <typename U>
    LineAllocator(const LineAllocator<U>&) noexcept {} // NOLINT(google-explicit-constructor): as the standard asks

    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
    void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, kLine); }

    template <typename U>
    friend bool operator==(const LineAllocator&, const LineAllocator<U>&) noexcept {
        return true;
    }

private:
    static constexpr std::align_val_t kLine{64};
};

/// A vector whose elements are read in pieces of 64 bytes. With other alignment, every piece would lie on two cache
/// lines, which takes twice as long.
template <typename T>
using LineVector = std::vector<T, LineAllocator<T>>;

} // namespace assay

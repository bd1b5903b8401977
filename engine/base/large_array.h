#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace assay {

/// Deleter for memory from std::malloc or std::aligned_alloc.
struct FreeMemory {
    void operator()(void* memory) const noexcept { std::free(memory); }
};

/// An array with uninitialised elements: zeroing them first would cost a pass over memory.
template <typename T>
using LargeArray = std::unique_ptr<T[], FreeMemory>;

/// Asks the system to back memory that is accessed at random with huge pages, at once where possible. Only a hint:
/// failure has no effect except on speed. Ranges below 16 MiB are left as they are.
inline void preferHugePages([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__linux__)
    constexpr std::size_t kHugePage = std::size_t{2} << 20;
    constexpr int kCollapse = 25; // MADV_COLLAPSE, which older headers do not name
    const auto first = (reinterpret_cast<std::uintptr_t>(memory) + kHugePage - 1) / kHugePage * kHugePage;
    const auto last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kHugePage * kHugePage;
    if (last < first + 8 * kHugePage)
        return;
    void* inside = reinterpret_cast<void*>(first); // NOLINT(performance-no-int-to-ptr)
    madvise(inside, last - first, MADV_HUGEPAGE);
    madvise(inside, last - first, kCollapse);
#endif
}

/// Allocates an array of `count` uninitialised elements, aligned to 64 bytes at least. Large arrays use huge pages
/// where the system has them: otherwise random access to rows misses the TLB every time, and the kernel maps pages 4
/// KiB at a time.
/// @throws std::bad_alloc
template <typename T>
LargeArray<T> makeLargeArray(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    constexpr std::size_t kHugePage = std::size_t{2} << 20;
    constexpr std::size_t kLine = 64;
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T))
        throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(T);
    const std::size_t unit = bytes >= 2 * kHugePage ? kHugePage : kLine;
    const std::size_t rounded = (bytes + unit) / unit * unit;
    void* memory = std::aligned_alloc(unit, rounded);
    if (memory == nullptr)
        throw std::bad_alloc();
#if defined(__linux__)
    if (unit == kHugePage)
        madvise(memory, rounded, MADV_HUGEPAGE); // a wish: without huge pages everything works as well
#endif
    return LargeArray<T>(static_cast<T*>(memory));
}

/// Allocator for standard containers that uses makeLargeArray().
template <typename T>
struct LargeAllocator {
    using value_type = T;

    LargeAllocator() = default;
    template <typename Other>
    explicit LargeAllocator(const LargeAllocator<Other>&) noexcept {}

    T* allocate(std::size_t count) { return makeLargeArray<T>(count).release(); }
    void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

    /// Default construction leaves trivial elements uninitialised: after std::vector(n), each element must be written
    /// before it is read.
    template <typename Element, typename... Values>
    void construct(Element* at, Values&&... values) {
        if constexpr (sizeof...(Values) == 0)
            ::new (static_cast<void*>(at)) Element;
        else
            ::new (static_cast<void*>(at)) Element(std::forward<Values>(values)...);
    }

    template <typename Other>
    bool operator==(const LargeAllocator<Other>&) const noexcept {
        return true;
    }
};

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

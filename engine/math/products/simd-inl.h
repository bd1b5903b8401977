// Helpers of kernels written with Highway. Included after <hwy/highway.h>, and like it once per instruction set: hence
// the guard that is turned around.
#if defined(ASSAY_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_SIMD_INL_H
#undef ASSAY_SIMD_INL_H
#else
#define ASSAY_SIMD_INL_H
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The first `count` values at `from`, at most as many as there are lanes, and zeros behind them. Reads nothing else.
template <class D>
HWY_INLINE hn::Vec<D> loadFirst(D d, const hn::TFromD<D>* from, std::size_t count) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 // elsewhere a masked load reads what is masked out, too
    return hn::MaskedLoad(hn::FirstN(d, count), d, from);
#else
    HWY_ALIGN hn::TFromD<D> copy[hn::MaxLanes(D())] = {};
    std::memcpy(copy, from, count * sizeof *from);
    return hn::Load(d, copy);
#endif
}

/// The sum of all lanes: l and l + N / 2 are added first, then l and l + N / 4, and so on.
template <class D>
HWY_INLINE hn::TFromD<D> sumOfLanes(D, hn::Vec<D> v) {
    if constexpr (hn::MaxLanes(D()) == 1) {
        return hn::GetLane(v);
    } else {
        // Unqualified: the scalar target has no UpperHalf.
        const hn::Half<D> half;
        return sumOfLanes(half, hn::Add(LowerHalf(half, v), UpperHalf(half, v)));
    }
}

/// A mask of up to 16 lanes as bits.
template <class D>
HWY_INLINE std::uint32_t bitsOf(D d, hn::Mask<D> mask) {
    // Exactly as many bytes as are written: the compiler then keeps them in a register.
    std::conditional_t<(hn::MaxLanes(D()) > 8), std::uint16_t, std::uint8_t> bits = 0;
    hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
    return bits;
}

/// Stores the lanes of a mask one behind the other. There must be room for a whole vector. @return how many
template <class D>
HWY_INLINE std::size_t storeChosen(D d, hn::Vec<D> v, hn::Mask<D> mask, hn::TFromD<D>* to) {
#if HWY_TARGET == HWY_AVX3 // not by CompressStore: some processors are slow at storing like this by one instruction
    hn::StoreU(hn::Compress(v, mask), d, to);
    return hn::CountTrue(d, mask);
#else // in Highway 1.0.3 Compress would copy a kilobyte of constants first
    HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(D())];
    hn::Store(v, d, lanes);
    std::size_t count = 0;
    for (std::uint32_t bits = bitsOf(d, mask); bits != 0; bits &= bits - 1)
        to[count++] = lanes[std::countr_zero(bits)];
    return count;
#endif
}

} // namespace HWY_NAMESPACE
} // namespace assay
HWY_AFTER_NAMESPACE();
#endif

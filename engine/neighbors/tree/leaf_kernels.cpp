#include "engine/neighbors/tree/leaf_kernels.h"

#include "engine/neighbors/tree/leaf_kernels_body.h"

#include <cstring>

namespace assay {
namespace {

/// Four floats, by loops that any compiler turns into what the processor has.
struct FourFloats {
    struct V {
        float lane[4];
    };
    static constexpr std::size_t kWidth = 4;

    template <class Operation>
    static V each(Operation operation) {
        V result;
        for (std::size_t l = 0; l < kWidth; ++l)
            result.lane[l] = operation(l);
        return result;
    }
    static V load(const float* from) {
        V result;
        std::memcpy(result.lane, from, sizeof result.lane);
        return result;
    }
    static void store(float* to, V x) { std::memcpy(to, x.lane, sizeof x.lane); }
    static V broadcast(float x) {
        return each([&](std::size_t) { return x; });
    }
    static V subtract(V a, V b) {
        return each([&](std::size_t l) { return a.lane[l] - b.lane[l]; });
    }
    static V larger(V a, V b) {
        return each([&](std::size_t l) { return a.lane[l] > b.lane[l] ? a.lane[l] : b.lane[l]; });
    }
    static V addSquare(V sum, V x) {
        return each([&](std::size_t l) { return sum.lane[l] + x.lane[l] * x.lane[l]; });
    }
    /// The larger of a and b where b <= bound, else a.
    static V largerUpTo(V a, V b, V bound) {
        return each(
            [&](std::size_t l) { return b.lane[l] <= bound.lane[l] && b.lane[l] > a.lane[l] ? b.lane[l] : a.lane[l]; });
    }
    static unsigned atMost(V a, V b) {
        unsigned mask = 0;
        for (std::size_t l = 0; l < kWidth; ++l)
            mask |= static_cast<unsigned>(a.lane[l] <= b.lane[l]) << l;
        return mask;
    }
};

const LeafKernels& choose() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
        return kAvx512LeafKernels;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return kAvx2LeafKernels;
#endif
    return kGenericLeafKernels;
}

} // namespace

const LeafKernels kGenericLeafKernels = leaf_kernels::Body<FourFloats>::table("generic");

#if !defined(__x86_64__)
const LeafKernels kAvx2LeafKernels = kGenericLeafKernels;
const LeafKernels kAvx512LeafKernels = kGenericLeafKernels;
#endif

const LeafKernels& leafKernels() {
    static const LeafKernels& chosen = choose();
    return chosen;
}

} // namespace assay

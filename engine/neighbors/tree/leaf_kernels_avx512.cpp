// Compiled with AVX-512 enabled: keep standard library code out (engine/neighbors/tree/leaf_kernels_body.h).
#include "engine/neighbors/tree/leaf_kernels.h"

#if defined(__x86_64__)
#include "engine/neighbors/tree/leaf_kernels_body.h"

#include <immintrin.h>

namespace assay {
namespace {

struct SixteenFloats {
    using V = __m512;
    static constexpr std::size_t kWidth = 16;

    static V load(const float* from) { return _mm512_loadu_ps(from); }
    static void store(float* to, V x) { _mm512_storeu_ps(to, x); }
    static V broadcast(float x) { return _mm512_set1_ps(x); }
    static V subtract(V a, V b) { return _mm512_sub_ps(a, b); }
    static V larger(V a, V b) { return _mm512_mask_max_ps(a, 0xFFFF, a, b); }
    static V addSquare(V sum, V x) { return _mm512_fmadd_ps(x, x, sum); }
    /// The larger of a and b where b <= bound, else a.
    static V largerUpTo(V a, V b, V bound) {
        return _mm512_mask_max_ps(a, _mm512_cmp_ps_mask(b, bound, _CMP_LE_OQ), a, b);
    }
    static unsigned atMost(V a, V b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
};

} // namespace

extern const LeafKernels kAvx512LeafKernels = leaf_kernels::Body<SixteenFloats>::table("avx512");

} // namespace assay
#endif

// Compiled with AVX2 enabled: keep standard library code out (engine/neighbors/tree/leaf_kernels_body.h).
#include "engine/neighbors/tree/leaf_kernels.h"

#if defined(__x86_64__)
#include "engine/neighbors/tree/leaf_kernels_body.h"

#include <immintrin.h>

namespace assay {
namespace {

struct EightFloats {
    using V = __m256;
    static constexpr std::size_t kWidth = 8;

    static V load(const float* from) { return _mm256_loadu_ps(from); }
    static void store(float* to, V x) { _mm256_storeu_ps(to, x); }
    static V broadcast(float x) { return _mm256_set1_ps(x); }
    static V subtract(V a, V b) { return _mm256_sub_ps(a, b); }
    static V larger(V a, V b) { return _mm256_max_ps(a, b); }
    static V addSquare(V sum, V x) { return _mm256_fmadd_ps(x, x, sum); }
    /// The larger of a and b where b <= bound, else a.
    static V largerUpTo(V a, V b, V bound) {
        return _mm256_blendv_ps(a, _mm256_max_ps(a, b), _mm256_cmp_ps(b, bound, _CMP_LE_OQ));
    }
    static unsigned atMost(V a, V b) {
        return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)));
    }
};

} // namespace

extern const LeafKernels kAvx2LeafKernels = leaf_kernels::Body<EightFloats>::table("avx2");

} // namespace assay
#endif

// Compiled with AVX-512 enabled: keep standard library code out, or its inline functions would be emitted with AVX-512
// too and might be the copies that the linker keeps.
#include "engine/math/products/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace assay {
namespace {

/// Longest row whose doubles are kept on the stack while several distances from it are measured.
constexpr std::size_t kWideRow = 2048;

/// The next row to be read, asked for two cache lines at a time.
inline void prefetch(const float* next) {
    _mm_prefetch(reinterpret_cast<const char*>(next), _MM_HINT_T0);
    _mm_prefetch(reinterpret_cast<const char*>(next + 16), _MM_HINT_T0);
}

inline __m512d addSquare(__m512d sum, __m512d x, __m256 y) {
    const __m512d difference = _mm512_sub_pd(x, _mm512_cvtps_pd(y));
    return _mm512_add_pd(sum, _mm512_mul_pd(difference, difference));
}

inline double sumLanes(const __m512d lane[4]) {
    // Lanes l and l + 16, then l + 8, l + 4, l + 2, l + 1, as the generic kernel does.
    const __m512d eight = _mm512_add_pd(_mm512_add_pd(lane[0], lane[2]), _mm512_add_pd(lane[1], lane[3]));
    const __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(eight), _mm512_maskz_extractf64x4_pd(0xF, eight, 1));
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

inline __m512d eightOf(const float* x) {
    return _mm512_cvtps_pd(_mm256_loadu_ps(x));
}
inline __m512d eightOf(const double* x) {
    return _mm512_loadu_pd(x);
}
inline __m512d someOf(const float* x, __mmask8 mask) {
    return _mm512_cvtps_pd(_mm256_maskz_loadu_ps(mask, x));
}
inline __m512d someOf(const double* x, __mmask8 mask) {
    return _mm512_maskz_loadu_pd(mask, x);
}

/// @param next the row to be read after this one
template <typename Value>
inline double squaredDistanceOf(const Value* x, const float* y, std::size_t dim, const float* next) {
    __m512d lane[4] = {_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd()};
    std::size_t i = 0;
    for (; i + 32 <= dim; i += 32) {
        prefetch(next + i);
        for (std::size_t a = 0; a < 4; ++a)
            lane[a] = addSquare(lane[a], eightOf(x + i + 8 * a), _mm256_loadu_ps(y + i + 8 * a));
    }
    for (std::size_t a = 0; i < dim; ++a, i += 8) {
        // The masked-out elements are zero in both rows and add nothing.
        const std::size_t left = dim - i;
        const auto mask = static_cast<__mmask8>(left >= 8 ? 0xFFU : (1U << left) - 1U);
        lane[a] = addSquare(lane[a], someOf(x + i, mask), _mm256_maskz_loadu_ps(mask, y + i));
    }
    return sumLanes(lane);
}

double squaredDistance(const float* x, const float* y, std::size_t dim) {
    return squaredDistanceOf(x, y, dim, y);
}

template <typename Value>
inline void measureAll(const Value* x, const float* base, std::size_t dim, const std::uint32_t* rows, std::size_t count,
                       double* squared) {
    for (std::size_t r = 0; r < count; ++r) {
        const float* row = base + rows[r] * dim;
        squared[r] = squaredDistanceOf(x, row, dim, r + 1 < count ? base + rows[r + 1] * dim : row);
    }
}

void squaredDistances(const float* x, const float* base, std::size_t dim, const std::uint32_t* rows, std::size_t count,
                      double* squared) {
    if (dim > kWideRow || count < 3) {
        measureAll(x, base, dim, rows, count, squared);
        return;
    }
    const float* first = base + rows[0] * dim;
    alignas(64) double wide[kWideRow];
    for (std::size_t i = 0; i < dim; i += 8) {
        if (i % 32 == 0)
            prefetch(first + i);
        const std::size_t left = dim - i;
        const auto mask = static_cast<__mmask8>(left >= 8 ? 0xFFU : (1U << left) - 1U);
        _mm512_store_pd(wide + i, someOf(x + i, mask));
    }
    measureAll(wide, base, dim, rows, count, squared);
}

} // namespace

extern const Kernels kAvx512Kernels{squaredDistance, squaredDistances, "avx512"};

} // namespace assay
#endif

// Compiled with AVX2 enabled: keep standard library code out, or its inline functions would be emitted with AVX2 too
// and might be the copies that the linker keeps.
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

inline __m256d addSquare(__m256d sum, __m256d x, __m128 y) {
    const __m256d difference = _mm256_sub_pd(x, _mm256_cvtps_pd(y));
    return _mm256_add_pd(sum, _mm256_mul_pd(difference, difference));
}

inline double sumLanes(const __m256d lane[8]) {
    // Lanes l and l + 16, then l + 8, l + 4, l + 2, l + 1, as the generic kernel does.
    __m256d eight[4];
    for (int a = 0; a < 4; ++a)
        eight[a] = _mm256_add_pd(lane[a], lane[a + 4]);
    const __m256d low = _mm256_add_pd(eight[0], eight[2]);
    const __m256d high = _mm256_add_pd(eight[1], eight[3]);
    const __m256d four = _mm256_add_pd(low, high);
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

inline __m256d fourOf(const float* x) {
    return _mm256_cvtps_pd(_mm_loadu_ps(x));
}
inline __m256d fourOf(const double* x) {
    return _mm256_loadu_pd(x);
}

/// @param next the row to be read after this one
template <typename Value>
inline double squaredDistanceOf(const Value* x, const float* y, std::size_t dim, const float* next) {
    __m256d lane[8];
    for (auto& l : lane)
        l = _mm256_setzero_pd();
    std::size_t i = 0;
    for (; i + 32 <= dim; i += 32) {
        prefetch(next + i);
        for (std::size_t a = 0; a < 8; ++a)
            lane[a] = addSquare(lane[a], fourOf(x + i + 4 * a), _mm_loadu_ps(y + i + 4 * a));
    }
    if (i < dim) {
        alignas(32) Value tailX[32] = {};
        alignas(32) float tailY[32] = {};
        for (std::size_t l = 0; i + l < dim; ++l) {
            tailX[l] = x[i + l];
            tailY[l] = y[i + l];
        }
        for (std::size_t a = 0; a < 8; ++a)
            lane[a] = addSquare(lane[a], fourOf(tailX + 4 * a), _mm_load_ps(tailY + 4 * a));
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
    for (std::size_t i = 0; i < dim; ++i) {
        if (i % 32 == 0)
            prefetch(first + i);
        wide[i] = static_cast<double>(x[i]);
    }
    measureAll(wide, base, dim, rows, count, squared);
}

} // namespace

extern const Kernels kAvx2Kernels{squaredDistance, squaredDistances, "avx2"};

} // namespace assay
#endif

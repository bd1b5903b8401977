#include "engine/math/products/product_kernel.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay {
namespace {

void plainKernel(std::size_t depth, const double* a, const double* const (&b)[kPanelsAtOnce], double* tile) {
    std::fill_n(tile, kPanelWidth * kTileColumns, 0.0);
    for (std::size_t p = 0; p < kPanelsAtOnce; ++p)
        for (std::size_t k = 0; k < depth; ++k)
            for (std::size_t v = 0; v < kPanelWidth; ++v)
                for (std::size_t w = 0; w < kPanelWidth; ++w)
                    tile[v * kTileColumns + p * kPanelWidth + w] += a[k * kPanelWidth + v] * b[p][k * kPanelWidth + w];
}

#if defined(__x86_64__)

// Every accumulator stays in a register: 8 rows of 3 vectors of 8.
__attribute__((target("avx512f"))) void avx512Kernel(std::size_t depth, const double* a,
                                                     const double* const (&b)[kPanelsAtOnce], double* tile) {
    __m512d sum[kPanelWidth][kPanelsAtOnce];
    for (auto& row : sum)
        for (__m512d& x : row)
            x = _mm512_setzero_pd();
    for (std::size_t k = 0; k < depth; ++k) {
        const __m512d b0 = _mm512_loadu_pd(b[0] + k * kPanelWidth);
        const __m512d b1 = _mm512_loadu_pd(b[1] + k * kPanelWidth);
        const __m512d b2 = _mm512_loadu_pd(b[2] + k * kPanelWidth);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < kPanelWidth; ++v) {
            const __m512d x = _mm512_set1_pd(a[k * kPanelWidth + v]);
            sum[v][0] = _mm512_fmadd_pd(x, b0, sum[v][0]);
            sum[v][1] = _mm512_fmadd_pd(x, b1, sum[v][1]);
            sum[v][2] = _mm512_fmadd_pd(x, b2, sum[v][2]);
        }
    }
    for (std::size_t v = 0; v < kPanelWidth; ++v)
        for (std::size_t p = 0; p < kPanelsAtOnce; ++p)
            _mm512_storeu_pd(tile + v * kTileColumns + p * kPanelWidth, sum[v][p]);
}

// Half of one panel by one other panel: 4 rows of 2 vectors of 4.
__attribute__((target("avx2,fma"))) void avx2Block(std::size_t depth, const double* a, const double* b, double* tile) {
    constexpr std::size_t kRows = 4;
    __m256d sum[kRows][2];
    for (auto& row : sum)
        for (__m256d& x : row)
            x = _mm256_setzero_pd();
    for (std::size_t k = 0; k < depth; ++k) {
        const __m256d b0 = _mm256_loadu_pd(b + k * kPanelWidth);
        const __m256d b1 = _mm256_loadu_pd(b + k * kPanelWidth + 4);
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kRows; ++v) {
            const __m256d x = _mm256_set1_pd(a[k * kPanelWidth + v]);
            sum[v][0] = _mm256_fmadd_pd(x, b0, sum[v][0]);
            sum[v][1] = _mm256_fmadd_pd(x, b1, sum[v][1]);
        }
    }
    for (std::size_t v = 0; v < kRows; ++v) {
        _mm256_storeu_pd(tile + v * kTileColumns, sum[v][0]);
        _mm256_storeu_pd(tile + v * kTileColumns + 4, sum[v][1]);
    }
}

void avx2Kernel(std::size_t depth, const double* a, const double* const (&b)[kPanelsAtOnce], double* tile) {
    for (std::size_t p = 0; p < kPanelsAtOnce; ++p)
        for (std::size_t half = 0; half < kPanelWidth; half += 4)
            avx2Block(depth, a + half, b[p], tile + half * kTileColumns + p * kPanelWidth);
}

#endif

} // namespace

PanelKernel panelKernel() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Kernel;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return avx2Kernel;
#endif
    return plainKernel;
}

} // namespace assay

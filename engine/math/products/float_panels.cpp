#include "engine/math/products/float_panels.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay {
namespace {

constexpr std::size_t kWidth = kFloatPanelWidth;
constexpr std::size_t kTileRows = kFloatTileRows;
constexpr std::size_t kPanels = kFloatPanelsAtOnce;
constexpr std::size_t kTileColumns = kFloatTileColumns;

void plainTile(std::size_t depth, std::size_t chunk, const float* a, const float* const (&b)[kPanels],
               std::size_t wanted, double* tile) {
    std::fill_n(tile, kTileRows * kTileColumns, 0.0);
    for (std::size_t from = 0; from < depth; from += chunk)
        for (std::size_t v = 0; v < kTileRows; ++v)
            for (std::size_t p = 0; p < wanted; ++p) {
                float sum[kWidth] = {};
                for (std::size_t k = from; k < std::min(depth, from + chunk); ++k)
                    for (std::size_t w = 0; w < kWidth; ++w)
                        sum[w] += a[k * kWidth + v] * b[p][k * kWidth + w];
                for (std::size_t w = 0; w < kWidth; ++w)
                    tile[v * kTileColumns + p * kWidth + w] += static_cast<double>(sum[w]);
            }
}

struct Packing {
    std::span<const float* const> vectors;
    std::size_t depth;
    const float* centre;
    float* panel;
};

void plainPack(const Packing& of) {
    // A line of memory of every vector at a time.
    for (std::size_t first = 0; first < of.depth; first += kWidth)
        for (std::size_t v = 0; v < kWidth; ++v)
            for (std::size_t k = first; k < std::min(of.depth, first + kWidth); ++k)
                of.panel[k * kWidth + v] = v < of.vectors.size() ? of.vectors[v][k] - of.centre[k] : 0.0F;
}

// As many at a time as fit into whatever registers there are.
__attribute__((always_inline)) inline void productsBody(const float* panel, std::size_t depth, const float* vector,
                                                        double* products) {
    constexpr std::size_t kHalf = kWidth / 2;
    using Floats = float __attribute__((vector_size(kHalf * sizeof(float)), aligned(4), may_alias));
    using Doubles = double __attribute__((vector_size(kHalf * sizeof(double)), aligned(8), may_alias));
    Doubles sums[4] = {}; // of even and of odd elements: each sum waits for its last addition
    for (std::size_t k = 0; k < depth; ++k) {
        const auto factor = static_cast<double>(vector[k]);
        for (std::size_t half = 0; half < 2; ++half) {
            const Floats* from = reinterpret_cast<const Floats*>(panel + k * kWidth + half * kHalf);
            sums[k % 2 * 2 + half] += __builtin_convertvector(*from, Doubles) * factor;
        }
    }
    *reinterpret_cast<Doubles*>(products) = sums[0] + sums[2];
    *reinterpret_cast<Doubles*>(products + kHalf) = sums[1] + sums[3];
}

void plainProducts(const float* panel, std::size_t depth, const float* vector, double* products) {
    productsBody(panel, depth, vector, products);
}

#if defined(__x86_64__)

__attribute__((target("avx512f"))) void avx512Products(const float* panel, std::size_t depth, const float* vector,
                                                       double* products) {
    productsBody(panel, depth, vector, products);
}

/// Row v's element c becomes row c's element v.
__attribute__((target("avx512f"), always_inline)) inline void transpose16(__m512 (&rows)[16]) {
    __m512 pairs[16];
    __m512d fours[16]; // fours[4 i + k]: columns k, 4 + k, 8 + k and 12 + k of row 4 i and the three behind it
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 16; i += 2) {
        pairs[i] = _mm512_unpacklo_ps(rows[i], rows[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_ps(rows[i], rows[i + 1]);
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 16; i += 4)
#pragma GCC unroll 2
        for (std::size_t k = 0; k < 2; ++k) {
            const __m512d low = _mm512_castps_pd(pairs[i + k]);
            const __m512d high = _mm512_castps_pd(pairs[i + k + 2]);
            fours[i + 2 * k] = _mm512_unpacklo_pd(low, high);
            fours[i + 2 * k + 1] = _mm512_unpackhi_pd(low, high);
        }
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) {
        const __m512d even0 = _mm512_shuffle_f64x2(fours[k], fours[4 + k], 0x88);
        const __m512d even1 = _mm512_shuffle_f64x2(fours[8 + k], fours[12 + k], 0x88);
        const __m512d odd0 = _mm512_shuffle_f64x2(fours[k], fours[4 + k], 0xDD);
        const __m512d odd1 = _mm512_shuffle_f64x2(fours[8 + k], fours[12 + k], 0xDD);
        rows[k] = _mm512_castpd_ps(_mm512_shuffle_f64x2(even0, even1, 0x88));
        rows[4 + k] = _mm512_castpd_ps(_mm512_shuffle_f64x2(odd0, odd1, 0x88));
        rows[8 + k] = _mm512_castpd_ps(_mm512_shuffle_f64x2(even0, even1, 0xDD));
        rows[12 + k] = _mm512_castpd_ps(_mm512_shuffle_f64x2(odd0, odd1, 0xDD));
    }
}

__attribute__((target("avx512f"))) void avx512Pack(const Packing& of) {
    for (std::size_t first = 0; first < of.depth; first += kWidth) {
        const std::size_t wide = std::min(kWidth, of.depth - first);
        const auto here = static_cast<__mmask16>((1U << wide) - 1U);
        const __m512 centre = _mm512_maskz_loadu_ps(here, of.centre + first);
        __m512 rows[kWidth];
#pragma GCC unroll 16
        for (std::size_t v = 0; v < kWidth; ++v)
            rows[v] = v < of.vectors.size() ? _mm512_sub_ps(_mm512_maskz_loadu_ps(here, of.vectors[v] + first), centre)
                                            : _mm512_setzero_ps();
        transpose16(rows);
        float* to = of.panel + first * kWidth;
        if (wide == kWidth) {
#pragma GCC unroll 16
            for (std::size_t k = 0; k < kWidth; ++k)
                _mm512_storeu_ps(to + k * kWidth, rows[k]);
        } else {
            for (std::size_t k = 0; k < wide; ++k)
                _mm512_storeu_ps(to + k * kWidth, rows[k]);
        }
    }
}

// Every sum stays in a register until the chunk is over. A function of its own: inside the loop over chunks the
// compiler keeps the tile on the stack as well.
template <std::size_t Panels>
__attribute__((target("avx512f"), noinline)) void avx512Chunk(std::size_t length, const float* a, const float* b0,
                                                              const float* b1, const float* b2, double* tile) {
    __m512 sum[kTileRows][Panels];
    for (auto& row : sum)
        for (__m512& x : row)
            x = _mm512_setzero_ps();
    for (std::size_t k = 0; k < length; ++k) {
        __m512 y[Panels];
        y[0] = _mm512_loadu_ps(b0 + k * kWidth);
        if constexpr (Panels > 1)
            y[1] = _mm512_loadu_ps(b1 + k * kWidth);
        if constexpr (Panels > 2)
            y[2] = _mm512_loadu_ps(b2 + k * kWidth);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < kTileRows; ++v) {
            const __m512 x = _mm512_set1_ps(a[k * kWidth + v]);
#pragma GCC unroll 3
            for (std::size_t p = 0; p < Panels; ++p)
                sum[v][p] = _mm512_fmadd_ps(x, y[p], sum[v][p]);
        }
    }
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kTileRows; ++v)
#pragma GCC unroll 3
        for (std::size_t p = 0; p < Panels; ++p) {
            double* to = tile + v * kTileColumns + p * kWidth;
            alignas(64) float part[kWidth];
            _mm512_store_ps(part, sum[v][p]);
            // With a mask: without one this compiler warns of its own header.
            const __m512d low = _mm512_maskz_cvtps_pd(0xFF, _mm256_load_ps(part));
            const __m512d high = _mm512_maskz_cvtps_pd(0xFF, _mm256_load_ps(part + 8));
            _mm512_storeu_pd(to, _mm512_add_pd(_mm512_loadu_pd(to), low));
            _mm512_storeu_pd(to + 8, _mm512_add_pd(_mm512_loadu_pd(to + 8), high));
        }
}

void avx512Tile(std::size_t depth, std::size_t chunk, const float* a, const float* const (&b)[kPanels],
                std::size_t wanted, double* tile) {
    const auto add = wanted == 1 ? avx512Chunk<1> : wanted == 2 ? avx512Chunk<2> : avx512Chunk<3>;
    std::fill_n(tile, kTileRows * kTileColumns, 0.0);
    for (std::size_t from = 0; from < depth; from += chunk) {
        const std::size_t first = from * kWidth;
        add(std::min(chunk, depth - from), a + first, b[0] + first, b[1] + first, b[2] + first, tile);
    }
}

// A quarter of the tile's rows with one panel: 4 rows of 2 vectors.
__attribute__((target("avx2,fma"))) void avx2Tile(std::size_t depth, std::size_t chunk, const float* a,
                                                  const float* const (&b)[kPanels], std::size_t wanted, double* tile) {
    constexpr std::size_t kRows = 4;
    std::fill_n(tile, kTileRows * kTileColumns, 0.0);
    for (std::size_t from = 0; from < depth; from += chunk)
        for (std::size_t p = 0; p < wanted; ++p)
            for (std::size_t first = 0; first < kTileRows; first += kRows) {
                __m256 sum[kRows][2];
                for (auto& row : sum)
                    for (__m256& x : row)
                        x = _mm256_setzero_ps();
                const std::size_t end = from + chunk < depth ? from + chunk : depth;
                for (std::size_t k = from; k < end; ++k) {
                    const __m256 b0 = _mm256_loadu_ps(b[p] + k * kWidth);
                    const __m256 b1 = _mm256_loadu_ps(b[p] + k * kWidth + 8);
#pragma GCC unroll 4
                    for (std::size_t v = 0; v < kRows; ++v) {
                        const __m256 x = _mm256_set1_ps(a[k * kWidth + first + v]);
                        sum[v][0] = _mm256_fmadd_ps(x, b0, sum[v][0]);
                        sum[v][1] = _mm256_fmadd_ps(x, b1, sum[v][1]);
                    }
                }
                for (std::size_t v = 0; v < kRows; ++v)
                    for (std::size_t half = 0; half < 2; ++half) {
                        float part[8];
                        _mm256_storeu_ps(part, sum[v][half]);
                        double* to = tile + (first + v) * kTileColumns + p * kWidth + half * 8;
                        for (std::size_t w = 0; w < 8; ++w)
                            to[w] += static_cast<double>(part[w]);
                    }
            }
}

#endif

} // namespace

FloatPanelKernel floatPanelKernel() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Tile;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return avx2Tile;
#endif
    return plainTile;
}

void packFloatPanel(std::span<const float* const> vectors, std::size_t depth, const float* centre, float* panel) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Pack({vectors, depth, centre, panel});
#endif
    plainPack({vectors, depth, centre, panel});
}

void multiplyFloatPanel(const float* panel, std::size_t depth, const float* vector, double* products) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Products(panel, depth, vector, products);
#endif
    plainProducts(panel, depth, vector, products);
}

} // namespace assay

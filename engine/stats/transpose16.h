#pragma once

#if defined(__x86_64__)

#include <cstddef>
#include <immintrin.h>

namespace assay {

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

} // namespace assay

#endif

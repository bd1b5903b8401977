// Compiled with AVX-512 enabled: keep standard library code out, or its inline functions would be emitted with AVX-512
// too and might be the copies that the linker keeps.
#include "engine/knn/row_loops.h"
#include "engine/knn/tile_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace assay {
namespace {

inline __m512 loadProduct(const float* from, __mmask16 inside) {
    return _mm512_maskz_loadu_ps(inside, from);
}

inline __m512 loadProduct(const std::int32_t* from, __mmask16 inside) {
    return _mm512_cvtepi32_ps(_mm512_maskz_loadu_epi32(inside, from));
}

/// Appends the chosen lanes. Storing a whole vector and moving on by the number chosen is faster than a masked store.
inline void append(TileHits& hits, __mmask16 chosen, __m512 estimate, __m512i column) {
    _mm512_storeu_ps(hits.estimate + hits.count, _mm512_maskz_compress_ps(chosen, estimate));
    _mm512_storeu_si512(hits.column + hits.count, _mm512_maskz_compress_epi32(chosen, column));
    hits.count += static_cast<unsigned>(__builtin_popcount(chosen));
}

template <typename Product>
void select(const Product* product, const TileRow& row, const TileColumns& columns, TileHits& rowHits,
            TileHits& columnHits) {
    const __m512 factor = _mm512_set1_ps(row.factor);
    const __m512 term = _mm512_set1_ps(row.term);
    const __m512 residual = _mm512_set1_ps(row.residual);
    const __m512 offset = _mm512_set1_ps(row.offset);
    const __m512 reach = _mm512_set1_ps(row.reach);
    const __m512 level = _mm512_set1_ps(row.level);
    __m512i column = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    rowHits.count = 0;
    columnHits.count = 0;
    for (std::size_t j = 0; j < columns.count; j += 16) {
        const std::size_t left = columns.count - j;
        const auto inside = static_cast<__mmask16>(left >= 16 ? 0xFFFFU : (1U << left) - 1U);
        const __m512 scale = _mm512_mul_ps(factor, _mm512_maskz_loadu_ps(inside, columns.step + j));
        const __m512 norms = _mm512_add_ps(term, _mm512_maskz_loadu_ps(inside, columns.term + j));
        const __m512 estimate = _mm512_add_ps(_mm512_mul_ps(loadProduct(product + j, inside), scale), norms);
        const __m512 rowReach = _mm512_add_ps(reach, _mm512_maskz_loadu_ps(inside, columns.residual + j));
        const __m512 columnReach = _mm512_add_ps(_mm512_maskz_loadu_ps(inside, columns.reach + j), residual);
        __mmask16 forRow = _mm512_mask_cmp_ps_mask(inside, estimate, _mm512_mul_ps(rowReach, rowReach), _CMP_LE_OQ);
        forRow = _mm512_mask_cmp_ps_mask(
            forRow, _mm512_add_ps(estimate, _mm512_maskz_loadu_ps(inside, columns.offset + j)), level, _CMP_LE_OQ);
        __mmask16 forColumn =
            _mm512_mask_cmp_ps_mask(inside, estimate, _mm512_mul_ps(columnReach, columnReach), _CMP_LE_OQ);
        forColumn = _mm512_mask_cmp_ps_mask(forColumn, _mm512_add_ps(estimate, offset),
                                            _mm512_maskz_loadu_ps(inside, columns.level + j), _CMP_LE_OQ);
        if (forRow != 0)
            append(rowHits, forRow, estimate, column);
        if (forColumn != 0)
            append(columnHits, forColumn, estimate, column);
        column = _mm512_add_epi32(column, _mm512_set1_epi32(16));
    }
}

std::size_t countAtMost(const float* values, std::size_t count, float bound) {
    const __m512 limit = _mm512_set1_ps(bound);
    std::size_t below = 0;
    for (std::size_t i = 0; i < count; i += 16) {
        const std::size_t left = count - i;
        const auto inside = static_cast<__mmask16>(left >= 16 ? 0xFFFFU : (1U << left) - 1U);
        below += static_cast<unsigned>(__builtin_popcount(
            _mm512_mask_cmp_ps_mask(inside, _mm512_maskz_loadu_ps(inside, values + i), limit, _CMP_LE_OQ)));
    }
    return below;
}

} // namespace

extern const TileKernels kAvx512TileKernels{select<std::int32_t>, select<float>,        countAtMost, scaleRowLoop,
                                            quantizeRowLoop,      largestMagnitudeLoop, "avx512"};

} // namespace assay
#endif

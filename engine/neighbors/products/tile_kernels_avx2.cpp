// Compiled with AVX2 enabled: keep standard library code out, or its inline functions would be emitted with AVX2 too
// and might be the copies that the linker keeps.
#include "engine/neighbors/products/row_loops.h"
#include "engine/neighbors/products/tile_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace assay {
namespace {

inline __m256 loadProduct(const float* from) {
    return _mm256_loadu_ps(from);
}

inline __m256 loadProduct(const std::int32_t* from) {
    return _mm256_cvtepi32_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}

inline void append(TileHits& hits, __m256 chosen, const float* estimate, std::size_t first) {
    for (auto mask = static_cast<unsigned>(_mm256_movemask_ps(chosen)); mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(mask));
        hits.estimate[hits.count] = estimate[lane];
        hits.column[hits.count++] = static_cast<std::uint32_t>(first + lane);
    }
}

template <typename Product>
void selectEight(const Product* product, const TileRow& row, const TileColumns& columns, std::size_t j,
                 TileHits& rowHits, TileHits& columnHits) {
    const __m256 scale = _mm256_mul_ps(_mm256_set1_ps(row.factor), _mm256_loadu_ps(columns.step + j));
    const __m256 norms = _mm256_add_ps(_mm256_set1_ps(row.term), _mm256_loadu_ps(columns.term + j));
    const __m256 estimate = _mm256_add_ps(_mm256_mul_ps(loadProduct(product + j), scale), norms);
    const __m256 most = _mm256_max_ps(_mm256_set1_ps(row.most), _mm256_loadu_ps(columns.most + j));
    if (_mm256_movemask_ps(_mm256_cmp_ps(estimate, most, _CMP_LE_OQ)) == 0)
        return;
    const __m256 rowReach = _mm256_add_ps(_mm256_set1_ps(row.reach), _mm256_loadu_ps(columns.residual + j));
    const __m256 columnReach = _mm256_add_ps(_mm256_loadu_ps(columns.reach + j), _mm256_set1_ps(row.residual));
    const __m256 forRow = _mm256_and_ps(_mm256_cmp_ps(estimate, _mm256_mul_ps(rowReach, rowReach), _CMP_LE_OQ),
                                        _mm256_cmp_ps(_mm256_add_ps(estimate, _mm256_loadu_ps(columns.offset + j)),
                                                      _mm256_set1_ps(row.level), _CMP_LE_OQ));
    const __m256 forColumn = _mm256_and_ps(_mm256_cmp_ps(estimate, _mm256_mul_ps(columnReach, columnReach), _CMP_LE_OQ),
                                           _mm256_cmp_ps(_mm256_add_ps(estimate, _mm256_set1_ps(row.offset)),
                                                         _mm256_loadu_ps(columns.level + j), _CMP_LE_OQ));
    if (_mm256_movemask_ps(_mm256_or_ps(forRow, forColumn)) == 0)
        return;
    alignas(32) float estimates[8];
    _mm256_store_ps(estimates, estimate);
    append(rowHits, forRow, estimates, j);
    append(columnHits, forColumn, estimates, j);
}

/// Copies the last, incomplete vector of a row so that it can be read whole; what is added admits nothing.
template <typename Product>
void selectRest(const Product* product, const TileRow& row, const TileColumns& columns, std::size_t first,
                TileHits& rowHits, TileHits& columnHits) {
    constexpr std::size_t kLanes = 8;
    Product products[kLanes] = {};
    float values[7][kLanes] = {};
    const float* from[7] = {columns.step,  columns.term,  columns.residual, columns.offset,
                            columns.reach, columns.level, columns.most};
    const std::size_t left = columns.count - first;
    for (std::size_t l = 0; l < kLanes; ++l) {
        products[l] = l < left ? product[first + l] : Product{0};
        for (std::size_t a = 0; a < 7; ++a)
            values[a][l] = l < left ? from[a][first + l] : 0.0F;
        if (l >= left)
            values[1][l] = __builtin_nanf(""); // an estimate that no limit admits
    }
    const TileColumns rest{values[0], values[1], values[2], values[3], values[4], values[5], values[6], kLanes};
    const std::size_t rowBefore = rowHits.count;
    const std::size_t columnBefore = columnHits.count;
    selectEight(products, row, rest, 0, rowHits, columnHits);
    for (std::size_t h = rowBefore; h < rowHits.count; ++h)
        rowHits.column[h] += static_cast<std::uint32_t>(first);
    for (std::size_t h = columnBefore; h < columnHits.count; ++h)
        columnHits.column[h] += static_cast<std::uint32_t>(first);
}

template <typename Product>
void select(const Product* product, const TileRow& row, const TileColumns& columns, TileHits& rowHits,
            TileHits& columnHits) {
    rowHits.count = 0;
    columnHits.count = 0;
    std::size_t j = 0;
    for (; j + 8 <= columns.count; j += 8)
        selectEight(product, row, columns, j, rowHits, columnHits);
    if (j < columns.count)
        selectRest(product, row, columns, j, rowHits, columnHits);
}

std::size_t countAtMost(const float* values, std::size_t count, float bound) {
    const __m256 limit = _mm256_set1_ps(bound);
    std::size_t below = 0;
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        below += static_cast<unsigned>(__builtin_popcount(
            static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(values + i), limit, _CMP_LE_OQ)))));
    for (; i < count; ++i)
        below += values[i] <= bound ? 1 : 0;
    return below;
}

float atLeastKthSmallest(const float* values, std::size_t count, std::size_t k) {
    return atLeastKthSmallestLoop(values, count, k, countAtMost);
}

} // namespace

extern const TileKernels kAvx2TileKernels{select<std::int32_t>,
                                          select<float>,
                                          selectNearLoop,
                                          integerProductsLoop,
                                          nullptr,
                                          nullptr,
                                          findMostLoop,
                                          estimateLoop<std::int32_t>,
                                          estimateLoop<float>,
                                          atLeastKthSmallest,
                                          keepAtMostLoop,
                                          scaleRowLoop,
                                          quantizeRowLoop,
                                          "avx2"};

} // namespace assay
#endif

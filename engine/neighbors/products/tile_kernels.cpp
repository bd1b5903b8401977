#include "engine/neighbors/products/tile_kernels.h"

#include "engine/neighbors/products/row_loops.h"

namespace assay {
namespace {

template <typename Product>
void select(const Product* product, const TileRow& row, const TileColumns& columns, TileHits& rowHits,
            TileHits& columnHits) {
    rowHits.count = 0;
    columnHits.count = 0;
    for (std::size_t j = 0; j < columns.count; ++j) {
        const float estimate =
            static_cast<float>(product[j]) * (row.factor * columns.step[j]) + (row.term + columns.term[j]);
        const float rowReach = row.reach + columns.residual[j];
        const float columnReach = columns.reach[j] + row.residual;
        if (estimate <= rowReach * rowReach && estimate + columns.offset[j] <= row.level) {
            rowHits.estimate[rowHits.count] = estimate;
            rowHits.column[rowHits.count++] = static_cast<std::uint32_t>(j);
        }
        if (estimate <= columnReach * columnReach && estimate + row.offset <= columns.level[j]) {
            columnHits.estimate[columnHits.count] = estimate;
            columnHits.column[columnHits.count++] = static_cast<std::uint32_t>(j);
        }
    }
}

float atLeastKthSmallest(const float* values, std::size_t count, std::size_t k) {
    return atLeastKthSmallestLoop(values, count, k, countAtMostLoop);
}

const TileKernels& choose() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
        return __builtin_cpu_supports("avx512vnni") ? kVnniTileKernels : kAvx512TileKernels;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return kAvx2TileKernels;
#endif
    return kGenericTileKernels;
}

} // namespace

const TileKernels kGenericTileKernels{select<std::int32_t>,
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
                                      "generic"};

#if !defined(__x86_64__)
const TileKernels kAvx2TileKernels = kGenericTileKernels;
const TileKernels kAvx512TileKernels = kGenericTileKernels;
const TileKernels kVnniTileKernels = kGenericTileKernels;
#endif

const TileKernels& tileKernels() {
    static const TileKernels& chosen = choose();
    return chosen;
}

} // namespace assay

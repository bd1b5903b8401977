#include "engine/gpu/device/decide.h"
#include "engine/gpu/device/device_memory.cuh"
#include "engine/gpu/device/launches.h"
#include "engine/gpu/device/tile_product.cuh"

namespace assay::cuda {
namespace {

using namespace tile;

/// A pair of the tile that may change a list or a ball count.
struct Hit {
    std::uint32_t place; ///< row * kColumns + column
    float estimate;
};

/// Layout of the shared memory after the products: it reuses that of the stages.
struct Selection {
    float rowTerm[kRows];
    float rowMost[kRows];
    float columnTerm[kColumns];
    float columnMost[kColumns];
    unsigned largestResidual[2]; ///< of rows and of columns, as bits
    unsigned hits;
    unsigned unused;
    Hit hit[kThreads * kTilesM * 2 * 4]; ///< as many as a quarter of the tile has pairs
};
static_assert(sizeof(Selection) <= kSharedBytes);
constexpr int kNAtOnce = 2; ///< 8-column fragments between two rounds of decisions
static_assert(kThreads * kTilesM * kNAtOnce * 4 == sizeof(Selection::hit) / sizeof(Hit));

/// A tile's place in its blocks and sets.
struct TileRange {
    std::uint32_t row, column;   ///< first ones, within the blocks
    std::uint32_t rows, columns; ///< that are in the region
};

/// Prepares the first comparison: a pair becomes a hit if its estimate is at most the larger of the limits of its row
/// and its column, each computed with the largest residual of the other side.
__device__ void prepareSelection(Selection& selection, const RegionJob& job, const TileRange& range) {
    const unsigned t = threadIdx.x;
    if (t == 0) {
        selection.largestResidual[0] = selection.largestResidual[1] = 0;
        selection.hits = 0;
    }
    __syncthreads();
    const bool row = t < range.rows;
    const bool column = t < range.columns;
    const std::uint32_t x = job.a.first + range.row + t;
    const std::uint32_t y = job.b.first + range.column + t;
    const float rowResidual = row ? job.x.terms.residual[x] : 0.0F;
    const float columnResidual = column ? job.y.terms.residual[y] : 0.0F;
    if (row)
        atomicMax(&selection.largestResidual[0], __float_as_uint(rowResidual));
    if (column)
        atomicMax(&selection.largestResidual[1], __float_as_uint(columnResidual));
    __syncthreads();
    if (t < kRows) {
        selection.rowTerm[t] = row ? job.x.terms.term[x] : infinity();
        selection.rowMost[t] = row ? largestEstimateWithin(widestReach(job.x, job.wanted, x), rowResidual,
                                                           __uint_as_float(selection.largestResidual[1]))
                                   : -infinity();
    }
    selection.columnTerm[t] = column ? job.y.terms.term[y] : infinity();
    selection.columnMost[t] = column ? largestEstimateWithin(widestReach(job.y, job.wanted, y), columnResidual,
                                                             __uint_as_float(selection.largestResidual[0]))
                                     : -infinity();
    __syncthreads();
}

/// Decides the pairs that passed the first comparison.
__device__ void decideHits(Selection& selection, const RegionJob& job, const TileRange& range) {
    __syncthreads();
    const unsigned hits = selection.hits;
    AtomicMemory memory;
    for (unsigned h = threadIdx.x; h < hits; h += kThreads) {
        const Hit hit = selection.hit[h];
        const std::uint32_t row = hit.place / kColumns;
        const std::uint32_t column = hit.place % kColumns;
        if (row < range.rows && column < range.columns)
            decidePair(job, job.a.first + range.row + row, job.b.first + range.column + column, hit.estimate, memory);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        selection.hits = 0;
    __syncthreads();
}

__device__ void select(const Products& products, Selection& selection, const RegionJob& job, const TileRange& range) {
    float rowTerm[kTilesM][2];
    float rowMost[kTilesM][2];
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            rowTerm[m][half] = selection.rowTerm[rowOf(m, half * 2)];
            rowMost[m][half] = selection.rowMost[rowOf(m, half * 2)];
        }
#pragma unroll
    for (int first = 0; first < kTilesN; first += kNAtOnce) {
#pragma unroll
        for (int n = first; n < first + kNAtOnce; ++n)
#pragma unroll
            for (int side = 0; side < 2; ++side) {
                const float columnTerm = selection.columnTerm[columnOf(n, side)];
                const float columnMost = selection.columnMost[columnOf(n, side)];
#pragma unroll
                for (int m = 0; m < kTilesM; ++m)
#pragma unroll
                    for (int half = 0; half < 2; ++half) {
                        const int element = half * 2 + side;
                        const float estimate = estimateOf(products.value[m][n][element], rowTerm[m][half], columnTerm);
                        if (estimate <= fmaxf(rowMost[m][half], columnMost)) {
                            const unsigned place = atomicAdd(&selection.hits, 1U);
                            selection.hit[place] =
                                Hit{static_cast<std::uint32_t>(rowOf(m, element) * kColumns + columnOf(n, element)),
                                    estimate};
                        }
                    }
            }
        decideHits(selection, job, range);
    }
}

__global__ void __launch_bounds__(kThreads, 1) tilesKernel(const __grid_constant__ RegionJob job) {
    ASSAY_SHARED_BYTES(shared);
    const Region& region = job.region;
    const Place place = placeOf(blockIdx.x, (region.xEnd - region.xBegin + kRows - 1) / kRows,
                                (region.yEnd - region.yBegin + kColumns - 1) / kColumns);
    TileRange range{};
    range.row = region.xBegin + place.row * kRows;
    range.column = region.yBegin + place.column * kColumns;
    range.rows = min(region.xEnd - range.row, static_cast<std::uint32_t>(kRows));
    range.columns = min(region.yEnd - range.column, static_cast<std::uint32_t>(kColumns));
    // Tiles below the diagonal repeat the pairs above it.
    if (job.diagonal && range.row >= range.column + range.columns)
        return;
    const unsigned t = threadIdx.x;
    bool wanted = t < range.rows && widestReach(job.x, job.wanted, job.a.first + range.row + t) >= 0.0F;
    wanted = wanted || (t < range.columns && widestReach(job.y, job.wanted, job.b.first + range.column + t) >= 0.0F);
    if (__syncthreads_or(wanted ? 1 : 0) == 0)
        return;
    Products products;
    product(products, shared, job.a.rounded + static_cast<std::size_t>(range.row) * job.paddedDim,
            job.b.rounded + static_cast<std::size_t>(range.column) * job.paddedDim, job.paddedDim);
    Selection& selection = *reinterpret_cast<Selection*>(shared);
    prepareSelection(selection, job, range);
    select(products, selection, job, range);
}

/// Bounds of the distances of all pairs of some rows and the sample.
__global__ void __launch_bounds__(kThreads, 1) sampleKernel(const __grid_constant__ ReachJob job) {
    ASSAY_SHARED_BYTES(shared);
    const unsigned tileColumns = (job.sample.count + kColumns - 1) / kColumns;
    const Place place = placeOf(blockIdx.x, (job.end - job.begin + kRows - 1) / kRows, tileColumns);
    const std::uint32_t firstRow = place.row * kRows; // from `begin` on
    const std::uint32_t firstColumn = place.column * kColumns;
    Products products;
    product(products, shared, job.a.rounded + static_cast<std::size_t>(job.begin + firstRow) * job.paddedDim,
            job.sample.rounded + static_cast<std::size_t>(firstColumn) * job.paddedDim, job.paddedDim);
    const std::size_t pitch = static_cast<std::size_t>(tileColumns) * kColumns;
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const std::uint32_t row = firstRow + static_cast<std::uint32_t>(rowOf(m, half * 2));
            if (row >= job.end - job.begin)
                continue;
            const std::uint32_t x = job.a.first + job.begin + row;
            const float term = job.x.terms.term[x];
            const float slack = job.x.terms.slack[x];
            const float residual = job.x.terms.residual[x];
#pragma unroll
            for (int n = 0; n < kTilesN; ++n) {
                float2 reach{infinity(), infinity()};
#pragma unroll
                for (int side = 0; side < 2; ++side) {
                    const std::uint32_t s = firstColumn + static_cast<std::uint32_t>(columnOf(n, side));
                    if (s >= job.sample.count || (job.sameSet && job.sample.index[s] == x))
                        continue;
                    const float estimate =
                        estimateOf(products.value[m][n][half * 2 + side], term, job.sample.terms.term[s]);
                    const float found =
                        reachOf(estimate, slack, job.sample.terms.slack[s], residual, job.sample.terms.residual[s]);
                    (side == 0 ? reach.x : reach.y) = found;
                }
                *reinterpret_cast<float2*>(job.bounds + row * pitch + firstColumn + columnOf(n, 0)) = reach;
            }
        }
}

/// One block per row: the k-th smallest bound of the sample.
__global__ void lowerReachesKernel(const __grid_constant__ ReachJob job) {
    ASSAY_SHARED_BYTES(shared);
    __shared__ unsigned digits[257];
    auto* bits = reinterpret_cast<std::uint32_t*>(shared);
    const std::size_t pitch = (job.sample.count + kColumns - 1) / kColumns * kColumns;
    const float* bounds = job.bounds + blockIdx.x * pitch;
    for (unsigned s = threadIdx.x; s < job.sample.count; s += blockDim.x)
        bits[s] = __float_as_uint(bounds[s]);
    __syncthreads();
    const float reach = __uint_as_float(kthSmallest(bits, job.sample.count, job.x.k, digits));
    float& lowered = job.x.reach[job.a.first + job.begin + blockIdx.x];
    if (threadIdx.x == 0 && reach < lowered)
        lowered = reach;
}

constexpr int kLowerThreads = 256;

} // namespace

int sharedMemoryNeeded() {
    return kSharedBytes;
}

cudaError_t allowSharedTiles() {
    for (const auto* kernel :
         {reinterpret_cast<const void*>(tilesKernel), reinterpret_cast<const void*>(sampleKernel)}) {
        const cudaError_t result =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
        if (result != cudaSuccess)
            return result;
    }
    return cudaFuncSetAttribute(lowerReachesKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                kMostSamples * sizeof(std::uint32_t));
}

void launchTiles(const RegionJob& job, cudaStream_t stream) {
    const Region& region = job.region;
    const unsigned rows = (region.xEnd - region.xBegin + kRows - 1) / kRows;
    const unsigned columns = (region.yEnd - region.yBegin + kColumns - 1) / kColumns;
    ASSAY_LAUNCH(tilesKernel, rows * columns, kThreads, kSharedBytes, stream, job);
}

void launchLowerReaches(const ReachJob& job, cudaStream_t stream) {
    const unsigned rows = (job.end - job.begin + kRows - 1) / kRows;
    const unsigned columns = (job.sample.count + kColumns - 1) / kColumns;
    ASSAY_LAUNCH(sampleKernel, rows * columns, kThreads, kSharedBytes, stream, job);
    ASSAY_LAUNCH(lowerReachesKernel, job.end - job.begin, kLowerThreads, job.sample.count * sizeof(std::uint32_t),
                 stream, job);
}

} // namespace assay::cuda

#include "engine/gpu/device/decide.h"
#include "engine/gpu/device/device_memory.cuh"
#include "engine/gpu/device/launches.h"
#include "engine/gpu/device/pass_data.h"

namespace assay::cuda {
namespace {

constexpr unsigned kColumns = 256; ///< of a block: one per thread
constexpr unsigned kRows = 64;     ///< that a block goes through
constexpr unsigned kAtOnce = 8;    ///< of them, products that a thread reads at a time

/// The values of a row that the first comparison reads.
struct RowLimit {
    EstimateTerms terms;
    float residual;
    float reach; ///< the largest distance at which a pair can matter to the row

    __device__ static RowLimit of(const SetState& set, const Wanted& wanted, std::uint32_t row) {
        return {set.terms.estimate(row), set.terms.residual[row], widestReach(set, wanted, row)};
    }
};

/// Decides on the pairs of kRows rows and kColumns columns of a tile. @param products of the tile, row by row
template <typename Product>
__global__ void __launch_bounds__(kColumns)
    selectKernel(const __grid_constant__ RegionJob job, const __grid_constant__ Region tile,
                 const Product* __restrict__ products) {
    __shared__ RowLimit limits[kRows];
    const unsigned pitch = static_cast<unsigned>(wholeTiles(tile.yEnd - tile.yBegin));
    const unsigned across = pitch / kColumns;
    const unsigned firstRow = blockIdx.x / across * kRows; // within the tile, as all that follow
    const unsigned column = blockIdx.x % across * kColumns + threadIdx.x;
    const unsigned rows = min(kRows, tile.xEnd - tile.xBegin - firstRow);
    if (threadIdx.x < rows)
        limits[threadIdx.x] = RowLimit::of(job.x, job.wanted, job.a.first + tile.xBegin + firstRow + threadIdx.x);
    __syncthreads();
    if (column >= tile.yEnd - tile.yBegin)
        return;
    const std::uint32_t y = job.b.first + tile.yBegin + column;
    const RowLimit own = RowLimit::of(job.y, job.wanted, y);
    const Product* product = products + static_cast<std::size_t>(firstRow) * pitch + column;
    AtomicMemory memory;
    for (unsigned first = 0; first < rows; first += kAtOnce) {
        // All are on their way before the first one is looked at: decisions below may change memory.
        float estimate[kAtOnce];
#pragma unroll
        for (unsigned i = 0; i < kAtOnce; ++i) {
            const unsigned r = min(first + i, rows - 1);
            estimate[i] = static_cast<float>(product[static_cast<std::size_t>(r) * pitch]);
        }
        unsigned near = 0;
#pragma unroll
        for (unsigned i = 0; i < kAtOnce; ++i) {
            const RowLimit& row = limits[min(first + i, rows - 1)];
            estimate[i] = estimateOf(estimate[i], row.terms, own.terms);
            if (first + i < rows && (mayBeWithin(estimate[i], row.reach, row.residual, own.residual) ||
                                     mayBeWithin(estimate[i], own.reach, own.residual, row.residual)))
                near |= 1U << i;
        }
        if (near == 0)
            continue;
#pragma unroll 1
        for (unsigned i = 0; i < kAtOnce; ++i)
            if ((near >> i & 1U) != 0)
                decidePair(job, job.a.first + tile.xBegin + firstRow + first + i, y,
                           estimateOf(static_cast<float>(product[static_cast<std::size_t>(first + i) * pitch]),
                                      limits[first + i].terms, own.terms),
                           memory);
    }
}

/// Lists the pairs of kRows rows and kColumns columns of a tile that the rows' limits admit.
__global__ void __launch_bounds__(kColumns)
    listPairsKernel(const __grid_constant__ PairJob job, const __grid_constant__ Region tile) {
    const unsigned pitch = static_cast<unsigned>(wholeTiles(tile.yEnd - tile.yBegin));
    const unsigned across = pitch / kColumns;
    const unsigned firstRow = blockIdx.x / across * kRows; // within the tile
    const unsigned column = blockIdx.x % across * kColumns + threadIdx.x;
    const unsigned rows = min(kRows, tile.xEnd - tile.xBegin - firstRow);
    __shared__ EstimateTerms terms[kRows];
    __shared__ PruningLimit limits[kRows];
    if (threadIdx.x < rows) {
        const std::uint32_t x = tile.xBegin + firstRow + threadIdx.x;
        terms[threadIdx.x] = {job.stepX[x], job.termX[x]};
        limits[threadIdx.x] = job.limit[x];
    }
    __syncthreads();
    if (column >= tile.yEnd - tile.yBegin)
        return;
    const std::uint32_t y = tile.yBegin + column;
    const EstimateTerms own{job.stepY[y], job.termY[y]};
    const RowBounds bounds = job.bounds[y];
    const std::int32_t* __restrict__ product =
        static_cast<const std::int32_t*>(job.products) + static_cast<std::size_t>(firstRow) * pitch + column;
    AtomicMemory memory;
#pragma unroll 4
    for (unsigned r = 0; r < rows; ++r) {
        const float estimate =
            estimateOf(static_cast<float>(product[static_cast<std::size_t>(r) * pitch]), terms[r], own);
        if (limits[r].admits(estimate, bounds))
            listPair(job, {tile.xBegin + firstRow + r, y, estimate}, memory);
    }
}

/// Replaces the product of each row with each sampled row by the bound of their distance.
template <typename Product>
__global__ void __launch_bounds__(kColumns) sampleKernel(const __grid_constant__ ReachJob job) {
    const unsigned pitch = static_cast<unsigned>(wholeTiles(job.sample.count));
    const unsigned across = pitch / kColumns;
    const unsigned row = blockIdx.x / across;
    const std::uint32_t s = blockIdx.x % across * kColumns + threadIdx.x;
    const std::uint32_t x = job.a.first + job.begin + row;
    const std::size_t place = static_cast<std::size_t>(row) * pitch + s;
    float reach = infinity();
    if (s < job.sample.count && !(job.sameSet && job.sample.index[s] == x)) {
        const RowTermArrays& own = job.x.terms;
        const RowTermArrays& sampled = job.sample.terms;
        const float estimate = estimateOf(static_cast<float>(static_cast<const Product*>(job.bounds)[place]),
                                          own.estimate(x), sampled.estimate(s));
        reach = reachOf(estimate, own.slack[x], sampled.slack[s], own.residual[x], sampled.residual[s]);
    }
    static_cast<float*>(job.bounds)[place] = reach;
}

unsigned blocksOf(const Region& tile) {
    const auto across = static_cast<unsigned>(wholeTiles(tile.yEnd - tile.yBegin) / kColumns);
    return (tile.xEnd - tile.xBegin + kRows - 1) / kRows * across;
}

constexpr int kLowerThreads = 256;

/// One block per row: the k-th smallest bound of the sample.
__global__ void lowerReachesKernel(const __grid_constant__ ReachJob job) {
    ASSAY_SHARED_BYTES(shared);
    __shared__ unsigned digits[257];
    auto* bits = reinterpret_cast<std::uint32_t*>(shared);
    const float* bounds = static_cast<const float*>(job.bounds) + blockIdx.x * wholeTiles(job.sample.count);
    for (unsigned s = threadIdx.x; s < job.sample.count; s += blockDim.x)
        bits[s] = __float_as_uint(bounds[s]);
    __syncthreads();
    const float reach = __uint_as_float(kthSmallest(bits, job.sample.count, job.x.k, digits));
    float& lowered = job.x.reach[job.a.first + job.begin + blockIdx.x];
    if (threadIdx.x == 0 && reach < lowered)
        lowered = reach;
}

} // namespace

cudaError_t allowSharedSamples() {
    return cudaFuncSetAttribute(lowerReachesKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                kMaxSamples * sizeof(std::uint32_t));
}

void launchSelect(const RegionJob& job, const Region& tile, cudaStream_t stream) {
    const unsigned blocks = blocksOf(tile);
    if (job.precision == Precision::Integer)
        ASSAY_LAUNCH(selectKernel<std::int32_t>, blocks, kColumns, 0, stream, job, tile,
                     static_cast<const std::int32_t*>(job.products));
    else
        ASSAY_LAUNCH(selectKernel<float>, blocks, kColumns, 0, stream, job, tile,
                     static_cast<const float*>(job.products));
}

void launchListPairs(const PairJob& job, const Region& tile, cudaStream_t stream) {
    ASSAY_LAUNCH(listPairsKernel, blocksOf(tile), kColumns, 0, stream, job, tile);
}

void launchLowerReaches(const ReachJob& job, cudaStream_t stream) {
    const unsigned rows = job.end - job.begin;
    const auto blocks = static_cast<unsigned>(rows * (wholeTiles(job.sample.count) / kColumns));
    if (job.precision == Precision::Integer)
        ASSAY_LAUNCH(sampleKernel<std::int32_t>, blocks, kColumns, 0, stream, job);
    else
        ASSAY_LAUNCH(sampleKernel<float>, blocks, kColumns, 0, stream, job);
    ASSAY_LAUNCH(lowerReachesKernel, rows, kLowerThreads, job.sample.count * sizeof(std::uint32_t), stream, job);
}

} // namespace assay::cuda

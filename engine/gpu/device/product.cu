#include "engine/gpu/device/device_memory.cuh"
#include "engine/gpu/device/launches.h"

namespace assay::cuda {
namespace {

constexpr unsigned kTileX = 128; ///< vectors of x in a tile
constexpr unsigned kTileY = 64;  ///< vectors of y
constexpr unsigned kDepth = 16;  ///< elements of them that are in shared memory at a time
constexpr unsigned kEdge = 16;   ///< threads along each side of a tile
constexpr unsigned kThreads = kEdge * kEdge;
constexpr unsigned kQuad = 4;                        ///< neighbouring vectors of a thread
constexpr unsigned kQuadsX = kTileX / kEdge / kQuad; ///< its groups of them, evenly apart
constexpr unsigned kPad = 4;                         ///< keeps elements of one vector in different banks
static_assert(kTileY == kEdge * kQuad);

/// Some elements of a tile's vectors. Rows begin at multiples of 16 bytes.
struct ProductPanels {
    float x[kDepth][kTileX + kPad];
    float y[kDepth][kTileY + kPad];
};

/// Loads elements [from, end) of the vectors behind `first`; zero beyond them.
template <unsigned kVectors>
__device__ void loadPanel(float (&to)[kDepth][kVectors + kPad], const DenseVectors& of, std::uint32_t first,
                          std::uint32_t from, std::uint32_t end) {
    // Neighbouring threads read neighbouring values.
    const bool vectors = of.layout == DenseVectors::Layout::VectorsAreRows;
#pragma unroll
    for (unsigned i = threadIdx.x; i < kVectors * kDepth; i += kThreads) {
        const unsigned v = vectors ? i / kDepth : i % kVectors;
        const unsigned k = vectors ? i % kDepth : i / kVectors;
        const bool there = first + v < of.count && from + k < end;
        to[k][v] = there ? of.at(first + v, from + k) : 0.0F;
    }
}

struct ThreadSums {
    float value[kQuadsX * kQuad][kQuad] = {};
};

__device__ void addPanels(ThreadSums& sum, const ProductPanels& panels) {
    const unsigned x = threadIdx.x / kEdge * kQuad;
    const unsigned y = threadIdx.x % kEdge * kQuad;
#pragma unroll
    for (unsigned k = 0; k < kDepth; ++k) {
        const float4 b = *reinterpret_cast<const float4*>(&panels.y[k][y]);
#pragma unroll
        for (unsigned quad = 0; quad < kQuadsX; ++quad) {
            const float4 a = *reinterpret_cast<const float4*>(&panels.x[k][x + quad * kEdge * kQuad]);
            const float own[kQuad] = {a.x, a.y, a.z, a.w};
#pragma unroll
            for (unsigned i = 0; i < kQuad; ++i) {
                float(&row)[kQuad] = sum.value[quad * kQuad + i];
                row[0] = fused(own[i], b.x, row[0]);
                row[1] = fused(own[i], b.y, row[1]);
                row[2] = fused(own[i], b.z, row[2]);
                row[3] = fused(own[i], b.w, row[3]);
            }
        }
    }
}

__device__ void store(const ThreadSums& sum, const ProductJob& job, float* product, std::uint32_t firstX,
                      std::uint32_t firstY) {
#pragma unroll
    for (unsigned i = 0; i < kQuadsX * kQuad; ++i) {
        const std::uint32_t x = firstX + threadIdx.x / kEdge * kQuad + i / kQuad * kEdge * kQuad + i % kQuad;
#pragma unroll
        for (unsigned j = 0; j < kQuad; ++j) {
            const std::uint32_t y = firstY + threadIdx.x % kEdge * kQuad + j;
            if (x >= job.x.count || y >= job.y.count)
                continue;
            const std::size_t place = static_cast<std::size_t>(x) * job.y.count + y;
            product[place] = withEpilogue(job, place, sum.value[i][j]);
        }
    }
}

ASSAY_HOST_DEVICE unsigned tilesOf(std::uint32_t count, unsigned edge) {
    return (count + edge - 1) / edge;
}

/// One tile of the product, of one part of the depth.
__global__ void __launch_bounds__(kThreads) productKernel(const __grid_constant__ ProductJob job) {
    ASSAY_SHARED_BYTES(shared);
    ProductPanels& panels = *reinterpret_cast<ProductPanels*>(shared);
    const unsigned tilesY = tilesOf(job.y.count, kTileY);
    const unsigned tiles = tilesOf(job.x.count, kTileX) * tilesY;
    const std::uint32_t firstX = blockIdx.x % tiles / tilesY * kTileX;
    const std::uint32_t firstY = blockIdx.x % tiles % tilesY * kTileY;
    const std::uint32_t part = blockIdx.x / tiles;
    const std::uint32_t end = job.slice == 0 ? job.depth : min(job.depth, (part + 1) * job.slice);
    ThreadSums sum;
    for (std::uint32_t from = part * job.slice; from < end; from += kDepth) {
        loadPanel<kTileX>(panels.x, job.x, firstX, from, end);
        loadPanel<kTileY>(panels.y, job.y, firstY, from, end);
        __syncthreads();
        addPanels(sum, panels);
        __syncthreads();
    }
    store(sum, job, job.product + part * job.partStride, firstX, firstY);
}

/// One warp per row.
__global__ void lossKernel(const __grid_constant__ LossJob job) {
    const std::uint32_t row = blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    if (row >= job.rows)
        return;
    float* image = job.images + static_cast<std::size_t>(row) * job.dim;
    const bool heldBack = job.heldBack[row] != 0;
    double squared = 0.0;
    for (std::uint32_t c = lane; c < job.dim; c += 32) {
        const float difference = plus(image[c], -1.0F);
        squared = plus(squared, times(static_cast<double>(difference), static_cast<double>(difference)));
        // Set rather than multiplied by zero: an infinite output would give NaN.
        image[c] = heldBack ? 0.0F : times(difference, job.scale);
    }
    squared = warpSum(squared);
    if (lane == 0)
        job.squared[row] = squared;
}

/// One thread per value.
__global__ void partsKernel(const __grid_constant__ PartsJob job) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= job.count)
        return;
    float sum = job.sum[i];
    for (std::uint32_t part = 0; part < job.number; ++part)
        sum = plus(sum, job.parts[part * job.count + i]);
    job.sum[i] = sum;
}

} // namespace

void launchProduct(const ProductJob& job, cudaStream_t stream) {
    const unsigned tiles = tilesOf(job.x.count, kTileX) * tilesOf(job.y.count, kTileY);
    ASSAY_LAUNCH(productKernel, tiles * job.parts(), kThreads, sizeof(ProductPanels), stream, job);
}

void launchLosses(const LossJob& job, cudaStream_t stream) {
    ASSAY_LAUNCH(lossKernel, tilesOf(job.rows, kThreads / 32), kThreads, 0, stream, job);
}

void launchParts(const PartsJob& job, cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>((job.count + kThreads - 1) / kThreads);
    ASSAY_LAUNCH(partsKernel, blocks, kThreads, 0, stream, job);
}

} // namespace assay::cuda

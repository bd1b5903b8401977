#include "engine/gpu/device/device_code.cuh"
#include "engine/gpu/device/launches.h"

namespace assay::cuda {
namespace {

constexpr unsigned kEdge = 16;               ///< threads along each side of a tile
constexpr unsigned kThreads = kEdge * kEdge; ///< each has every 16th row and column of the tile
constexpr unsigned kOwn = kGramTile / kEdge;
constexpr unsigned kDepth = 16; ///< rows of the set that are in shared memory at a time
constexpr unsigned kTileValues = kGramTile * kGramTile;

/// Some rows of y, of the columns of two sides of a tile.
struct GramRows {
    double a[kDepth][kGramTile];
    double b[kDepth][kGramTile];
};

/// One thread's column of both sides.
struct GramColumns {
    std::uint32_t a, b;
    double meanA, meanB;
};

__device__ double elementAt(const GramJob& job, std::uint32_t row, std::uint32_t column, double scale, double mean) {
    return column < job.dim ? gramElement(job.rows[static_cast<std::size_t>(row) * job.dim + column], scale, mean)
                            : 0.0;
}

__device__ void loadRows(GramRows& to, const GramJob& job, std::uint32_t first, std::uint32_t end,
                         const GramColumns& columns) {
    const unsigned v = threadIdx.x % kGramTile;
    for (unsigned k = threadIdx.x / kGramTile; k < kDepth; k += kThreads / kGramTile) {
        const std::uint32_t row = first + k;
        const bool there = row < end;
        const double scale = there && job.scale != nullptr ? job.scale[row] : 1.0;
        to.a[k][v] = there ? elementAt(job, row, columns.a, scale, columns.meanA) : 0.0;
        to.b[k][v] = there ? elementAt(job, row, columns.b, scale, columns.meanB) : 0.0;
    }
}

/// The product of one slice of rows for one tile of the lower triangle, tile after tile, slice after slice.
__global__ void __launch_bounds__(kThreads) gramKernel(const __grid_constant__ GramJob job) {
    ASSAY_SHARED_BYTES(shared);
    GramRows& rows = *reinterpret_cast<GramRows*>(shared);
    const std::uint32_t tiles = gramTiles(job.dim);
    const std::uint32_t tile = blockIdx.x % tiles;
    const std::uint32_t slice = blockIdx.x / tiles;
    const std::uint32_t tileRow = gramTileRow(tile);
    const std::uint32_t tileColumn = tile - tileRow * (tileRow + 1) / 2;
    GramColumns columns{};
    columns.a = tileRow * kGramTile + threadIdx.x % kGramTile;
    columns.b = tileColumn * kGramTile + threadIdx.x % kGramTile;
    columns.meanA = columns.a < job.dim ? job.mean[columns.a] : 0.0;
    columns.meanB = columns.b < job.dim ? job.mean[columns.b] : 0.0;
    const unsigned x = threadIdx.x % kEdge;
    const unsigned y = threadIdx.x / kEdge;
    double sum[kOwn][kOwn] = {};
    const std::uint32_t end = min(job.count, (slice + 1) * kSliceRows);
    for (std::uint32_t first = slice * kSliceRows; first < end; first += kDepth) {
        loadRows(rows, job, first, end, columns);
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < kDepth; ++k)
#pragma unroll
            for (unsigned i = 0; i < kOwn; ++i)
#pragma unroll
                for (unsigned j = 0; j < kOwn; ++j)
                    sum[i][j] = fused(rows.a[k][y + i * kEdge], rows.b[k][x + j * kEdge], sum[i][j]);
        __syncthreads();
    }
    double* part = job.parts + static_cast<std::size_t>(blockIdx.x) * kTileValues;
#pragma unroll
    for (unsigned i = 0; i < kOwn; ++i)
#pragma unroll
        for (unsigned j = 0; j < kOwn; ++j)
            part[(y + i * kEdge) * kGramTile + x + j * kEdge] = sum[i][j];
}

/// Adds the slices' products in the order of their rows: one thread per element.
__global__ void addPartsKernel(const __grid_constant__ GramJob job) {
    constexpr unsigned kBlocks = kTileValues / kThreads;
    const std::uint32_t tiles = gramTiles(job.dim);
    const std::uint32_t tile = blockIdx.x / kBlocks;
    const unsigned place = blockIdx.x % kBlocks * kThreads + threadIdx.x;
    const std::uint32_t tileRow = gramTileRow(tile);
    const std::uint32_t row = tileRow * kGramTile + place / kGramTile;
    const std::uint32_t column = (tile - tileRow * (tileRow + 1) / 2) * kGramTile + place % kGramTile;
    if (row >= job.dim || column > row)
        return;
    double& element = job.product[static_cast<std::size_t>(row) * job.dim + column];
    double sum = element;
    for (std::uint32_t slice = 0; slice < slicesOf(job.count); ++slice)
        sum = plus(sum, job.parts[(static_cast<std::size_t>(slice) * tiles + tile) * kTileValues + place]);
    element = sum;
}

} // namespace

void launchGram(const GramJob& job, cudaStream_t stream) {
    const std::uint32_t tiles = gramTiles(job.dim);
    ASSAY_LAUNCH(gramKernel, tiles * slicesOf(job.count), kThreads, sizeof(GramRows), stream, job);
    ASSAY_LAUNCH(addPartsKernel, tiles * (kTileValues / kThreads), kThreads, 0, stream, job);
}

namespace {

constexpr unsigned kLayoutThreads = 128;

/// One thread per row.
__global__ void layoutKernel(const __grid_constant__ LayoutJob job) {
    const std::uint32_t row = blockIdx.x * kLayoutThreads + threadIdx.x;
    if (row < job.round.rows)
        job.to[row] = job.round.moved(row);
}

} // namespace

void launchLayout(const LayoutJob& job, cudaStream_t stream) {
    ASSAY_LAUNCH(layoutKernel, (job.round.rows + kLayoutThreads - 1) / kLayoutThreads, kLayoutThreads, 0, stream, job);
}

} // namespace assay::cuda

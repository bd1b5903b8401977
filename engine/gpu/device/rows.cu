#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/decide.h"
#include "engine/gpu/device/device_memory.cuh"
#include "engine/gpu/device/launches.h"

namespace assay::cuda {
namespace {

constexpr int kRowThreads = 256;
constexpr int kRowWarps = kRowThreads / 32;

/// One warp per row.
__global__ void prepareKernel(const __grid_constant__ PrepareJob job) {
    const std::uint32_t row = blockIdx.x * kRowWarps + threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    if (row >= job.padded)
        return;
    std::uint16_t* rounded = job.rounded + static_cast<std::size_t>(row) * job.paddedDim;
    if (row >= job.count) {
        for (unsigned c = lane; c < job.paddedDim; c += 32)
            rounded[c] = 0;
        return;
    }
    const float* stored = job.rows + static_cast<std::size_t>(row) * job.dim;
    double norm = 0.0;
    double residual = 0.0;
    for (unsigned c = lane; c < job.paddedDim; c += 32) {
        const double value = c < job.dim ? centred(stored[c], job.scale, job.centre[c]) : 0.0;
        const std::uint16_t bits = toBfloat16(static_cast<float>(value));
        const auto kept = static_cast<double>(fromBfloat16(bits));
        rounded[c] = bits;
        norm += kept * kept;
        residual += (value - kept) * (value - kept);
    }
    norm = warpSum(norm);
    residual = warpSum(residual);
    if (lane == 0 && job.terms.term != nullptr) {
        const RowTerms terms = rowTerms(norm, residual, job.paddedDim);
        job.terms.term[row] = terms.term;
        job.terms.slack[row] = terms.slack;
        job.terms.residual[row] = terms.residual;
    }
}

__global__ void ballsKernel(const __grid_constant__ SetState set, double scale) {
    const std::uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= set.rows)
        return;
    set.ballReach[row] = reachOfDistance(set.radius[row], scale);
    set.ballSure[row] = sureReach(set.innerRadius != nullptr ? set.innerRadius[row] : set.radius[row], scale);
}

/// One warp per undecided pair.
__global__ void undecidedKernel(const __grid_constant__ RegionJob job, std::uint32_t count) {
    const std::uint32_t d = blockIdx.x * kRowWarps + threadIdx.x / 32;
    if (d >= count)
        return;
    const UndecidedPair pair = job.undecided[d];
    const std::uint32_t x = pair.x & ~kUndecidedBall;
    const std::uint32_t y = pair.y & ~kUndecidedBall;
    const double distance = warpDistance(job.a.rows + static_cast<std::size_t>(x - job.a.first) * job.dim,
                                         job.b.rows + static_cast<std::size_t>(y - job.b.first) * job.dim, job.dim);
    if (threadIdx.x % 32 != 0)
        return;
    AtomicMemory memory;
    if ((pair.x & kUndecidedBall) != 0)
        countMeasured(job.x, job.y, {x, y, distance}, memory);
    if ((pair.y & kUndecidedBall) != 0)
        countMeasured(job.y, job.x, {y, x, distance}, memory);
}

} // namespace

cudaError_t allowSharedTiles(); // tiles.cu
cudaError_t allowSharedLists(); // lists.cu

cudaError_t allowSharedMemory() {
    const cudaError_t result = allowSharedTiles();
    return result != cudaSuccess ? result : allowSharedLists();
}

void launchPrepare(const PrepareJob& job, cudaStream_t stream) {
    ASSAY_LAUNCH(prepareKernel, (job.padded + kRowWarps - 1) / kRowWarps, kRowThreads, 0, stream, job);
}

void launchBalls(const SetState& set, double scale, cudaStream_t stream) {
    ASSAY_LAUNCH(ballsKernel, (set.rows + kRowThreads - 1) / kRowThreads, kRowThreads, 0, stream, set, scale);
}

void launchUndecided(const RegionJob& job, std::uint32_t count, cudaStream_t stream) {
    ASSAY_LAUNCH(undecidedKernel, (count + kRowWarps - 1) / kRowWarps, kRowThreads, 0, stream, job, count);
}

} // namespace assay::cuda

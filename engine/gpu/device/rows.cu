#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/decide.h"
#include "engine/gpu/device/device_memory.cuh"
#include "engine/gpu/device/launches.h"

namespace assay::cuda {
namespace {

constexpr int kRowThreads = 256;
constexpr int kRowWarps = kRowThreads / 32;

/// |x'|^2 and |x - x'|^2 of a row.
struct RowSums {
    double represented = 0.0, residual = 0.0;

    __device__ void add(double value, double kept) {
        represented += kept * kept;
        residual += (value - kept) * (value - kept);
    }
};

/// The row of a warp, of which each lane has every 32nd column.
struct WarpRow {
    const PrepareJob& job;
    const float* stored;
    std::byte* operand;

    __device__ double at(unsigned column) const {
        return column < job.dim ? centred(stored[column], job.scale, job.centre[column]) : 0.0;
    }
    __device__ float largest() const {
        float most = 0.0F;
        for (unsigned c = threadIdx.x % 32; c < job.dim; c += 32)
            most = fmaxf(most, floatAtLeast(fabs(at(c))));
        return __uint_as_float(__reduce_max_sync(kWholeWarp, __float_as_uint(most)));
    }
    __device__ RowSums toFloats() const {
        RowSums sums;
        for (unsigned c = threadIdx.x % 32; c < job.paddedDim; c += 32) {
            const float kept = static_cast<float>(at(c));
            reinterpret_cast<float*>(operand)[c] = kept;
            sums.add(at(c), static_cast<double>(kept));
        }
        return sums;
    }
    __device__ RowSums toIntegers(float step) const {
        RowSums sums;
        for (unsigned c = threadIdx.x % 32; c < job.paddedDim; c += 32) {
            const std::int8_t kept = toInteger(at(c), step);
            reinterpret_cast<std::int8_t*>(operand)[c] = kept;
            sums.add(at(c), static_cast<double>(kept) * static_cast<double>(step));
        }
        return sums;
    }
};

/// One warp per row.
__global__ void prepareKernel(const __grid_constant__ PrepareJob job) {
    const std::uint32_t row = blockIdx.x * kRowWarps + threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    if (row >= job.padded)
        return;
    const std::size_t rowBytes = job.paddedDim * valueBytes(job.precision);
    std::byte* operand = job.operand + row * rowBytes;
    if (row >= job.count) {
        for (std::size_t byte = lane; byte < rowBytes; byte += 32)
            operand[byte] = std::byte{0};
        return;
    }
    const WarpRow prepared{job, job.rows + static_cast<std::size_t>(row) * job.dim, operand};
    const bool integers = job.precision == Precision::Integer;
    const float step = integers ? stepOf(prepared.largest()) : 1.0F;
    const RowSums sums = integers ? prepared.toIntegers(step) : prepared.toFloats();
    const double represented = warpSum(sums.represented);
    const double residual = warpSum(sums.residual);
    if (lane == 0 && job.terms.step != nullptr) {
        const RowTerms terms = rowTerms(represented, job.precision, job.paddedDim);
        job.terms.step[row] = step;
        job.terms.term[row] = terms.term;
        job.terms.slack[row] = terms.slack;
        job.terms.residual[row] = residualOf(residual, represented);
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

cudaError_t allowSharedSamples(); // tiles.cu
cudaError_t allowSharedLists();   // lists.cu

cudaError_t allowSharedMemory() {
    const cudaError_t result = allowSharedSamples();
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

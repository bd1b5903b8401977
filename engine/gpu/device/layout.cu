#include "engine/gpu/device/device_code.cuh"
#include "engine/gpu/device/launches.h"

namespace assay::cuda {
namespace {

constexpr unsigned kThreads = 128;

/// One thread per row.
__global__ void layoutKernel(const __grid_constant__ LayoutJob job) {
    const std::uint32_t row = blockIdx.x * kThreads + threadIdx.x;
    if (row < job.round.rows)
        job.to[row] = job.round.moved(row);
}

} // namespace

void launchLayout(const LayoutJob& job, cudaStream_t stream) {
    ASSAY_LAUNCH(layoutKernel, (job.round.rows + kThreads - 1) / kThreads, kThreads, 0, stream, job);
}

} // namespace assay::cuda

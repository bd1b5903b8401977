#pragma once

#include "engine/gpu/device/dense_data.h"
#include "engine/gpu/device/pass_data.h"

#include <cuda_runtime.h>

// The kernels, as the host calls them. Each queues its work in a stream and returns; the caller looks at
// cudaGetLastError().

namespace assay::cuda {

/// Once per device, before the first launch: lets the kernels use the shared memory that they need.
cudaError_t allowSharedMemory();
/// Bytes of shared memory that the largest kernel needs.
int sharedMemoryNeeded();

void launchPrepare(const PrepareJob& job, cudaStream_t stream);
void launchBalls(const SetState& set, double scale, cudaStream_t stream);
void launchPrime(const PrimeJob& job, cudaStream_t stream);
void launchTiles(const RegionJob& job, cudaStream_t stream);
/// Shortens the lists of rows begin to end of `block` that took part; `overflow` and `unsettled` are the report's.
void launchShorten(const SetState& set, const SetState& other, const Block& block, std::uint32_t begin,
                   std::uint32_t end, const Wanted& wanted, std::uint32_t* overflow, std::uint32_t* unsettled,
                   std::uint32_t* longest, cudaStream_t stream);
void launchLongest(const SetState& set, std::uint32_t* longest, cudaStream_t stream);
void launchSettle(const SettleJob& job, cudaStream_t stream);
void launchDoubts(const RegionJob& job, std::uint32_t count, cudaStream_t stream);
void launchGram(const GramJob& job, cudaStream_t stream);
void launchProduct(const ProductJob& job, cudaStream_t stream);
void launchLosses(const LossJob& job, cudaStream_t stream);
void launchLayout(const LayoutJob& job, cudaStream_t stream);
void launchParts(const PartsJob& job, cudaStream_t stream);

} // namespace assay::cuda

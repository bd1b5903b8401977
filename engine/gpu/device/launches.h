#pragma once

#include "engine/gpu/device/pass_data.h"

#include <cuda_runtime.h>

// Host functions that launch the kernels in a stream. The caller checks cudaGetLastError().

namespace assay::cuda {

/// Raises the kernels' limits of shared memory. Called once per device, before the first launch.
cudaError_t allowSharedMemory();
/// Bytes of shared memory that a block of the largest kernel may ask for (lists.cu, with the longest lists and tables).
constexpr int kSharedBytesNeeded = 96 << 10;

void launchPrepare(const PrepareJob& job, cudaStream_t stream);
void launchBalls(const SetState& set, double scale, cudaStream_t stream);
/// Lists pairs of a tile, whose products are in job.products.
void launchListPairs(const PairJob& job, const Region& tile, cudaStream_t stream);
/// Makes bounds of the products in job.bounds, and of them reaches.
void launchLowerReaches(const ReachJob& job, cudaStream_t stream);
/// Decides on the pairs of a tile, whose products are in job.products: tile rows x columns of whole tiles.
void launchSelect(const RegionJob& job, const Region& tile, cudaStream_t stream);
void launchPrune(const PruneJob& job, cudaStream_t stream);
void launchLongest(const SetState& set, std::uint32_t* longest, cudaStream_t stream);
void launchMeasure(const MeasureJob& job, cudaStream_t stream);
void launchUndecided(const RegionJob& job, std::uint32_t count, cudaStream_t stream);
void launchGram(const GramJob& job, cudaStream_t stream);
void launchLayout(const LayoutJob& job, cudaStream_t stream);

} // namespace assay::cuda

#include "engine/gpu/device/decide.h"
#include "engine/gpu/device/device_memory.cuh"
#include "engine/gpu/device/launches.h"

namespace assay::cuda {
namespace {

constexpr int kListThreads = 128;
constexpr int kListWarps = kListThreads / 32;
/// Rows of up to this many values are kept in shared memory while distances from them are measured.
constexpr unsigned kStagedValues = 4096;

/// Stores the outcome for one list.
__device__ void finishList(const PruneJob& job, std::uint32_t row, std::uint32_t count, bool tooShort) {
    const SetState& set = job.set;
    set.level[row] = static_cast<std::uint8_t>(job.wanted.level + (tooShort ? 1 : 0));
    set.count[row] = count;
    set.before[row] = count;
    if (tooShort)
        atomicAdd(job.overflow, 1U);
    if (count > set.measureAbove)
        atomicAdd(job.unmeasured, 1U);
    atomicMax(job.longest, count);
}

/// One block per list: lowers the reach to the k-th smallest bound of its entries and drops entries beyond it.
__global__ void pruneKernel(const __grid_constant__ PruneJob job) {
    ASSAY_SHARED_BYTES(shared);
    __shared__ unsigned digits[257];
    __shared__ unsigned kept;
    const SetState& set = job.set;
    const std::uint32_t row = job.first + blockIdx.x;
    if (!takesPart(set, job.wanted, row))
        return;
    const std::uint32_t offered = set.count[row];
    const std::uint32_t before = set.before[row];
    const bool tooShort = offered > set.capacity;
    const unsigned count = tooShort ? set.capacity : offered;
    __syncthreads(); // all threads have read what finishList() changes
    // A few new entries hardly lower the reach; a list that is far from full is pruned later.
    if (!tooShort && count - before <= set.k / 4 && count <= set.measureAbove / 2) {
        if (threadIdx.x == 0)
            finishList(job, row, count, false);
        return;
    }
    auto* entries = reinterpret_cast<Candidate*>(shared);
    auto* bits = reinterpret_cast<std::uint32_t*>(entries + set.capacity);
    Candidate* list = set.list + static_cast<std::size_t>(row) * set.capacity;
    const float slack = set.terms.slack[row];
    const float residual = set.terms.residual[row];
    for (unsigned c = threadIdx.x; c < count; c += kListThreads) {
        const Candidate entry = list[c];
        entries[c] = entry;
        bits[c] = bitsOf(reachOf(entry.estimate, slack, job.other.terms.slack[entry.index], residual,
                                 job.other.terms.residual[entry.index]));
    }
    if (threadIdx.x == 0)
        kept = 0;
    __syncthreads();
    float reach = set.reach[row];
    if (count >= set.k) {
        const float found = floatOf(kthSmallest(bits, count, set.k, digits));
        reach = found < reach ? found : reach;
    }
    // A list that overflowed is restored to its entries before the region; the others are found again.
    const unsigned stay = tooShort ? before : count;
    for (unsigned c = threadIdx.x; c < stay; c += kListThreads)
        if (mayBeWithin(entries[c].estimate, reach, residual, job.other.terms.residual[entries[c].index]))
            list[atomicAdd(&kept, 1U)] = entries[c];
    __syncthreads();
    if (threadIdx.x == 0) {
        set.reach[row] = reach;
        finishList(job, row, kept, tooShort);
    }
}

__global__ void longestKernel(const __grid_constant__ SetState set, std::uint32_t* longest) {
    std::uint32_t most = 0;
    for (std::uint32_t row = blockIdx.x * blockDim.x + threadIdx.x; row < set.rows; row += gridDim.x * blockDim.x)
        most = max(most, set.count[row]);
    most = __reduce_max_sync(kWholeWarp, most);
    if (threadIdx.x % 32 == 0)
        atomicMax(longest, most);
}

/// Shared memory of measureKernel.
struct MeasureRoom {
    unsigned sorted; ///< entries that can be sorted: a power of two
    unsigned staged; ///< values of the row in shared memory; 0: too many

    static MeasureRoom of(const MeasureJob& job) {
        MeasureRoom room{2, job.dim <= kStagedValues ? job.dim : 0};
        while (room.sorted < job.longest + job.x.k)
            room.sorted *= 2;
        return room;
    }
    std::size_t bytes(const MeasureJob& job) const { return room(sorted, job.longest) + staged * sizeof(float); }
    static std::size_t room(std::size_t sorted, std::size_t longest) {
        return sorted * (sizeof(double) + sizeof(std::uint32_t)) + longest * sizeof(Candidate);
    }
};

/// Puts `count` entries, a power of two, in ascending order.
__device__ void sortMeasured(double* distance, std::uint32_t* index, unsigned count) {
    for (unsigned size = 2; size <= count; size *= 2)
        for (unsigned step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            for (unsigned p = threadIdx.x; p < count / 2; p += kListThreads) {
                const unsigned low = p / step * step * 2 + p % step;
                const unsigned high = low + step;
                const bool ascending = (low & size) == 0;
                const bool swapped = ascending ? standsBefore(distance[high], index[high], distance[low], index[low])
                                               : standsBefore(distance[low], index[low], distance[high], index[high]);
                if (swapped) {
                    const double d = distance[low];
                    distance[low] = distance[high];
                    distance[high] = d;
                    const std::uint32_t i = index[low];
                    index[low] = index[high];
                    index[high] = i;
                }
            }
        }
    __syncthreads();
}

/// One block per list: measures its entries among the base's rows and merges them into the row's table.
__global__ void measureKernel(const __grid_constant__ MeasureJob job, const __grid_constant__ MeasureRoom room) {
    ASSAY_SHARED_BYTES(shared);
    __shared__ unsigned measured;
    __shared__ unsigned kept;
    const SetState& set = job.x;
    const std::uint32_t row = job.a.first + job.begin + blockIdx.x;
    const unsigned count = set.count[row];
    if (count <= job.above)
        return;
    auto* distance = reinterpret_cast<double*>(shared);
    auto* entries = reinterpret_cast<Candidate*>(distance + room.sorted);
    auto* index = reinterpret_cast<std::uint32_t*>(entries + job.longest);
    auto* staged = reinterpret_cast<float*>(index + room.sorted);
    Candidate* list = set.list + static_cast<std::size_t>(row) * set.capacity;
    const float* own = job.a.rows + static_cast<std::size_t>(row - job.a.first) * job.dim;
    if (threadIdx.x == 0)
        measured = kept = 0;
    for (unsigned c = threadIdx.x; c < count; c += kListThreads)
        entries[c] = list[c];
    for (unsigned c = threadIdx.x; c < room.staged; c += kListThreads)
        staged[c] = own[c];
    __syncthreads();
    for (unsigned c = threadIdx.x; c < count; c += kListThreads) {
        const Candidate entry = entries[c];
        if (entry.index >= job.baseFirst && entry.index < job.baseEnd)
            index[atomicAdd(&measured, 1U)] = entry.index;
        else
            list[atomicAdd(&kept, 1U)] = entry;
    }
    __syncthreads();
    const unsigned found = measured;
    const unsigned k = set.k;
    const float* from = room.staged > 0 ? staged : own;
    for (unsigned m = threadIdx.x / 32; m < found; m += kListWarps) {
        const double far =
            warpDistance(from, job.base + static_cast<std::size_t>(index[m] - job.baseFirst) * job.dim, job.dim);
        if (threadIdx.x % 32 == 0)
            distance[m] = far;
    }
    const std::size_t first = static_cast<std::size_t>(row) * k;
    for (unsigned n = threadIdx.x; n < k; n += kListThreads) {
        distance[found + n] = set.distance[first + n];
        index[found + n] = set.index[first + n];
    }
    unsigned sorted = 2;
    while (sorted < found + k)
        sorted *= 2;
    for (unsigned n = found + k + threadIdx.x; n < sorted; n += kListThreads) {
        distance[n] = __longlong_as_double(0x7F7F7F7F7F7F7F7FLL);
        index[n] = kNoNeighbor;
    }
    sortMeasured(distance, index, sorted);
    for (unsigned n = threadIdx.x; n < k; n += kListThreads) {
        set.distance[first + n] = distance[n];
        set.index[first + n] = index[n];
    }
    if (threadIdx.x == 0) {
        set.count[row] = kept;
        set.before[row] = kept;
        if (index[k - 1] != kNoNeighbor)
            set.reach[row] = fminf(set.reach[row], reachOfDistance(distance[k - 1], job.scale));
    }
}

} // namespace

cudaError_t allowSharedLists() {
    const cudaError_t result =
        cudaFuncSetAttribute(pruneKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytesNeeded / 2);
    return result != cudaSuccess
               ? result
               : cudaFuncSetAttribute(measureKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytesNeeded);
}

void launchPrune(const PruneJob& job, cudaStream_t stream) {
    const std::size_t bytes = job.set.capacity * (sizeof(Candidate) + sizeof(std::uint32_t));
    ASSAY_LAUNCH(pruneKernel, job.count, kListThreads, bytes, stream, job);
}

void launchLongest(const SetState& set, std::uint32_t* longest, cudaStream_t stream) {
    constexpr unsigned kThreads = 256;
    constexpr unsigned kMaxBlocks = 256;
    const unsigned blocks = (set.rows + kThreads - 1) / kThreads;
    ASSAY_LAUNCH(longestKernel, blocks < kMaxBlocks ? blocks : kMaxBlocks, kThreads, 0, stream, set, longest);
}

void launchMeasure(const MeasureJob& job, cudaStream_t stream) {
    const MeasureRoom room = MeasureRoom::of(job);
    ASSAY_LAUNCH(measureKernel, job.end - job.begin, kListThreads, room.bytes(job), stream, job, room);
}

} // namespace assay::cuda

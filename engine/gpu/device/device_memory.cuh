#pragma once

#include "engine/gpu/device/bounds.h"
#include "engine/gpu/device/device_code.cuh"

#include <cstdint>

namespace assay::cuda {

/// The atomic counters of decide.h.
struct AtomicMemory {
    __device__ std::uint32_t increment(std::uint32_t* value) { return atomicAdd(value, 1U); }
    __device__ unsigned long long increment(unsigned long long* value) { return atomicAdd(value, 1ULL); }
};

constexpr unsigned kWholeWarp = 0xFFFFFFFFU;

/// Sum of a warp's values: those of lanes l and l + 16 are added first, then l and l + 8, and so on. The result is lane
/// 0's.
__device__ inline double warpSum(double value) {
#pragma unroll
    for (unsigned half = kLanes / 2; half > 0; half /= 2)
        value = plus(value, __shfl_down_sync(kWholeWarp, value, half));
    return value;
}

/// A distance by one warp, in the order of summation of engine/math/products/kernels.h. The result is lane 0's.
__device__ inline double warpDistance(const float* x, const float* y, std::size_t dim) {
    const unsigned lane = threadIdx.x % kLanes;
    double sum = 0.0;
#pragma unroll 8
    for (std::size_t c = lane; c < dim; c += kLanes)
        sum = withSquare(sum, x[c], y[c]);
    return squareRoot(warpSum(sum));
}

/// One step of a radix selection, by the first warp: finds the digit of the k-th element and the number n < 2^24 of
/// elements with a smaller digit, and stores digit + 256 n in digits[256].
__device__ inline void findDigit(unsigned* digits, unsigned k) {
    constexpr unsigned kEach = 8;
    const unsigned lane = threadIdx.x;
    unsigned own = 0;
    for (unsigned d = 0; d < kEach; ++d)
        own += digits[lane * kEach + d];
    unsigned through = own;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const unsigned before = __shfl_up_sync(kWholeWarp, through, distance);
        if (lane >= distance)
            through += before;
    }
    unsigned below = through - own;
    if (below >= k || k > through)
        return; // the digit is in another lane's range
    unsigned digit = lane * kEach;
    while (below + digits[digit] < k)
        below += digits[digit++];
    digits[256] = digit | (below << 8);
}

/// The k-th smallest of non-negative floats, whose order is that of their bits: a radix selection by the whole block.
/// @param values in shared memory, set by the block before a barrier
/// @param k from 1 to count
/// @param digits 257 words of shared memory
/// @return the same value in every thread
__device__ inline std::uint32_t kthSmallest(const std::uint32_t* values, unsigned count, unsigned k, unsigned* digits) {
    std::uint32_t prefix = 0;
    std::uint32_t known = 0; // bits of the prefix that are decided
    for (int shift = 24; shift >= 0; shift -= 8) {
        for (unsigned d = threadIdx.x; d < 256; d += blockDim.x)
            digits[d] = 0;
        __syncthreads();
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
            if ((values[i] & known) == prefix)
                atomicAdd(digits + ((values[i] >> shift) & 0xFFU), 1U);
        __syncthreads();
        if (threadIdx.x < 32)
            findDigit(digits, k);
        __syncthreads();
        const unsigned found = digits[256];
        prefix |= (found & 0xFFU) << shift;
        known |= 0xFFU << shift;
        k -= found >> 8;
        __syncthreads();
    }
    return prefix;
}

} // namespace assay::cuda

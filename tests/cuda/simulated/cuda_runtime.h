#pragma once

// Stands in for CUDA's header of the same name: as much of the language and of the runtime as the engine uses, on the
// host (simulator.h). Streams do everything at once, in the order of the calls.

#include "tests/cuda/simulated/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __grid_constant__
#define __launch_bounds__(...)

struct Index3 {
    unsigned x;
};
extern Index3 threadIdx, blockIdx, blockDim, gridDim;

struct alignas(16) float4 {
    float x, y, z, w;
};

inline void __syncthreads() {
    simulated::blockBarrier();
}

template <typename T>
T atomicAdd(T* value, T more) {
    const T before = *value;
    *value += more;
    return before;
}
template <typename T>
T atomicMax(T* value, T other) {
    const T before = *value;
    *value = std::max(before, other);
    return before;
}
using std::max;
using std::min;

inline unsigned __float_as_uint(float value) {
    unsigned bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}
inline float __uint_as_float(unsigned bits) {
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
inline double __longlong_as_double(long long bits) {
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// What `from` other lanes give; a lane beyond the warp gives its own.
inline double exchanged(double value, unsigned from) {
    std::memcpy(simulated::exchange(simulated::lane()), &value, sizeof value);
    simulated::warpBarrier();
    double other = value;
    if (from < 32)
        std::memcpy(&other, simulated::exchange(from), sizeof other);
    simulated::warpBarrier();
    return other;
}
inline double __shfl_down_sync(unsigned /*mask*/, double value, unsigned delta) {
    return exchanged(value, simulated::lane() + delta);
}
inline unsigned __shfl_up_sync(unsigned /*mask*/, unsigned value, unsigned delta) {
    *simulated::exchange(simulated::lane()) = value;
    simulated::warpBarrier();
    const unsigned lane = simulated::lane();
    const unsigned other = *simulated::exchange(lane >= delta ? lane - delta : lane);
    simulated::warpBarrier();
    return other;
}
inline unsigned __reduce_max_sync(unsigned /*mask*/, unsigned value) {
    *simulated::exchange(simulated::lane()) = value;
    simulated::warpBarrier();
    unsigned most = 0;
    for (unsigned l = 0; l < 32; ++l)
        most = std::max(most, *simulated::exchange(l));
    simulated::warpBarrier();
    return most;
}

// The runtime.

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100
};
enum cudaDeviceAttr {
    cudaDevAttrComputeCapabilityMajor,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
    cudaDevAttrComputeMode
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
constexpr int cudaComputeModeProhibited = 2;
constexpr unsigned cudaStreamNonBlocking = 1;
constexpr unsigned cudaEventDisableTiming = 2;
constexpr unsigned cudaHostAllocDefault = 0;

struct SimulatedStream {};
struct SimulatedEvent {};
using cudaStream_t = SimulatedStream*;
using cudaEvent_t = SimulatedEvent*;
struct cudaDeviceProp {
    char name[256];
    std::size_t totalGlobalMem;
};

inline const char* cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorMemoryAllocation ? "out of memory" : "no device";
}
inline cudaError_t cudaGetLastError() {
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int* count) {
    *count = simulated::machine().devices;
    return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}
inline cudaError_t cudaSetDevice(int device) {
    return device < simulated::machine().devices ? cudaSuccess : cudaErrorNoDevice;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int /*device*/) {
    const auto& machine = simulated::machine();
    *value = which == cudaDevAttrComputeCapabilityMajor         ? machine.major
             : which == cudaDevAttrMaxSharedMemoryPerBlockOptin ? machine.sharedMemory
                                                                : 0;
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int /*device*/) {
    std::strcpy(properties->name, "simulated card");
    properties->totalGlobalMem = simulated::machine().memory;
    return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    *free = *total = simulated::machine().memory;
    return cudaSuccess;
}
inline cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    if (bytes > simulated::machine().largestAllocation || bytes > simulated::machine().memory)
        return cudaErrorMemoryAllocation;
    *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    std::memset(*memory, 0xA5, bytes);
    ++simulated::machine().handles.memory;
    return cudaSuccess;
}
inline cudaError_t cudaFree(void* memory) {
    std::free(memory);
    --simulated::machine().handles.memory;
    return cudaSuccess;
}
inline cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned /*flags*/) {
    *memory = std::malloc(bytes);
    ++simulated::machine().handles.pinned;
    return cudaSuccess;
}
inline cudaError_t cudaFreeHost(void* memory) {
    std::free(memory);
    --simulated::machine().handles.pinned;
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned /*flags*/) {
    *stream = new SimulatedStream;
    ++simulated::machine().handles.streams;
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    delete stream;
    --simulated::machine().handles.streams;
    return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned /*flags*/) {
    *event = new SimulatedEvent;
    ++simulated::machine().handles.events;
    return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    --simulated::machine().handles.events;
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t /*stream*/) {
    return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t /*event*/) {
    return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t /*stream*/, cudaEvent_t /*event*/, unsigned /*flags*/) {
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t /*event*/, cudaStream_t /*stream*/) {
    return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* to, int byte, std::size_t bytes, cudaStream_t /*stream*/) {
    std::memset(to, byte, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind /*kind*/,
                                   cudaStream_t /*stream*/) {
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
template <typename Kernel>
cudaError_t cudaFuncSetAttribute(Kernel /*kernel*/, cudaFuncAttribute /*which*/, int bytes) {
    return bytes <= simulated::machine().sharedMemory ? cudaSuccess : cudaErrorMemoryAllocation;
}

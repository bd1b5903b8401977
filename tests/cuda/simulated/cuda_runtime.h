#pragma once

// Stands in for CUDA's header of the same name: as much of the language and of the runtime as the engine uses, on the
// host (simulator.h).

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

inline double __shfl_down_sync(unsigned /*mask*/, double value, unsigned delta) {
    const unsigned from = simulated::lane() + delta;
    std::memcpy(&value, simulated::exchange(&value, sizeof value, from < 32 ? from : simulated::lane()), sizeof value);
    return value;
}
inline unsigned __shfl_up_sync(unsigned /*mask*/, unsigned value, unsigned delta) {
    const unsigned lane = simulated::lane();
    return *simulated::exchange(&value, sizeof value, lane >= delta ? lane - delta : lane);
}
inline unsigned __reduce_max_sync(unsigned /*mask*/, unsigned value) {
    unsigned most = *simulated::exchange(&value, sizeof value, 0);
    for (unsigned l = 1; l < 32; ++l)
        most = std::max(most, *simulated::exchanged(l));
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

/// A place among the work of a stream.
struct SimulatedEvent {
    simulated::Stream* stream = nullptr;
    std::size_t number = 0;

    void wait() const {
        if (stream != nullptr)
            stream->finishUntil(number);
    }
};
using cudaStream_t = simulated::Stream*;
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
    *memory = simulated::allocate(bytes);
    return *memory != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaFree(void* memory) {
    simulated::release(memory);
    return cudaSuccess;
}
inline cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned /*flags*/) {
    *memory = std::malloc(bytes);
    simulated::count(&simulated::Counts::pinned, 1);
    return cudaSuccess;
}
inline cudaError_t cudaFreeHost(void* memory) {
    std::free(memory);
    simulated::count(&simulated::Counts::pinned, -1);
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned /*flags*/) {
    *stream = simulated::makeStream();
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    delete stream;
    simulated::count(&simulated::Counts::streams, -1);
    return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned /*flags*/) {
    *event = new SimulatedEvent;
    simulated::count(&simulated::Counts::events, 1);
    return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    simulated::count(&simulated::Counts::events, -1);
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    stream->finish();
    return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    event->wait();
    return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned /*flags*/) {
    stream->add([recorded = *event] { recorded.wait(); });
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    *event = {stream, stream->added()};
    return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* to, int byte, std::size_t bytes, cudaStream_t stream) {
    simulated::add(stream, [=] {
        simulated::requireOnDevice(to, bytes);
        std::memset(to, byte, bytes);
    });
    return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
    simulated::add(stream, [=] {
        if (kind != cudaMemcpyDeviceToHost)
            simulated::requireOnDevice(to, bytes);
        if (kind != cudaMemcpyHostToDevice)
            simulated::requireOnDevice(from, bytes);
        if (bytes > 0) // as nothing may come from nowhere
            std::memcpy(to, from, bytes);
    });
    return cudaSuccess;
}
template <typename Kernel>
cudaError_t cudaFuncSetAttribute(Kernel /*kernel*/, cudaFuncAttribute /*which*/, int bytes) {
    return bytes <= simulated::machine().sharedMemory ? cudaSuccess : cudaErrorMemoryAllocation;
}

#pragma once

#include "engine/gpu/device/device.h"

#include <cstddef>
#include <cuda_runtime.h>
#include <memory>
#include <string>

namespace assay::cuda {

/// Throws an Error that names the device, the call and the reason, unless the call succeeded.
inline void requireSuccess(cudaError_t result, const char* call, const std::string& device) {
    if (result == cudaSuccess)
        return;
    cudaGetLastError(); // clears the error, so that the next call does not report it again
    const std::string message = device + ": " + call + " failed: " + cudaGetErrorString(result);
    if (result == cudaErrorMemoryAllocation)
        throw OutOfDeviceMemory(message);
    throw Error(ErrorKind::DeviceFailed, message);
}

// RAII owners of CUDA's handles. Each belongs to the device that was current when it was created.

struct DestroyStream {
    void operator()(cudaStream_t stream) const noexcept { cudaStreamDestroy(stream); }
};
struct DestroyEvent {
    void operator()(cudaEvent_t event) const noexcept { cudaEventDestroy(event); }
};
struct FreePinned {
    void operator()(void* memory) const noexcept { cudaFreeHost(memory); }
};

using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream>;
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent>;
/// Host memory that the device copies from directly.
template <typename T>
using Pinned = std::unique_ptr<T, FreePinned>;

inline Stream makeStream(const std::string& device) {
    cudaStream_t stream = nullptr;
    requireSuccess(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags", device);
    return Stream(stream);
}
inline Event makeEvent(const std::string& device) {
    cudaEvent_t event = nullptr;
    requireSuccess(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags", device);
    return Event(event);
}
template <typename T>
Pinned<T> makePinned(std::size_t count, const std::string& device) {
    void* memory = nullptr;
    requireSuccess(cudaHostAlloc(&memory, count * sizeof(T), cudaHostAllocDefault), "cudaHostAlloc", device);
    return Pinned<T>(static_cast<T*>(memory));
}

} // namespace assay::cuda

/// Calls CUDA from members of classes with a deviceName().
#define ASSAY_CUDA_CALL(function, ...) ::assay::cuda::requireSuccess(function(__VA_ARGS__), #function, deviceName())

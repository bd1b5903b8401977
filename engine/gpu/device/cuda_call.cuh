#pragma once

#include "engine/gpu/device/device.h"

#include <cuda_runtime.h>
#include <string>

namespace assay::cuda {

/// Turns a failed call into an Error that names the device, the call and the reason.
inline void requireSuccess(cudaError_t result, const char* call, const std::string& device) {
    if (result == cudaSuccess)
        return;
    cudaGetLastError(); // the error is told here, not again by the next call
    const std::string message = device + ": " + call + " failed: " + cudaGetErrorString(result);
    if (result == cudaErrorMemoryAllocation)
        throw OutOfDeviceMemory(message);
    throw Error(ErrorKind::DeviceFailed, message);
}

} // namespace assay::cuda

/// Calls into CUDA from members of classes with a name().
#define ASSAY_CUDA_CALL(function, ...) ::assay::cuda::requireSuccess(function(__VA_ARGS__), #function, deviceName())

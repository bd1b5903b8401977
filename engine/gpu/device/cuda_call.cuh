#pragma once

#include "engine/gpu/device/device.h"

#include <cuda_runtime.h>
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

} // namespace assay::cuda

/// Calls CUDA from members of classes with a deviceName().
#define ASSAY_CUDA_CALL(function, ...) ::assay::cuda::requireSuccess(function(__VA_ARGS__), #function, deviceName())

#pragma once

// Code that only the CUDA compiler accepts: launches and shared memory. Tests replace this header and run the kernels
// on the host (tests/cuda/simulated).

#include <cuda_runtime.h>

/// kernel<<<...>>>(arguments)
#define ASSAY_LAUNCH(kernel, blocks, threads, sharedBytes, stream, ...)                                                \
    kernel<<<blocks, threads, sharedBytes, stream>>>(__VA_ARGS__)
/// The shared memory that a launch asks for, as bytes.
#define ASSAY_SHARED_BYTES(name) extern __shared__ __align__(128) unsigned char name[]

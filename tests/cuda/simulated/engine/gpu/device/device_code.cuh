#pragma once

// Takes the place of engine/gpu/device/device_code.cuh: launches of kernels on the host.

#include "tests/cuda/simulated/cuda_runtime.h"

#define ASSAY_LAUNCH(kernel, blocks, threads, sharedBytes, stream, ...)                                                \
    simulated::add(stream, [=] {                                                                                       \
        simulated::runGrid({static_cast<unsigned>(blocks), threads, sharedBytes}, [&] { kernel(__VA_ARGS__); });       \
    })
#define ASSAY_SHARED_BYTES(name) unsigned char* const name = simulated::sharedMemory()

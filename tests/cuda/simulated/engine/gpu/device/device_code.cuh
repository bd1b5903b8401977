#pragma once

// Takes the place of engine/gpu/device/device_code.cuh: the same functions on the host, as the PTX ISA describes them.

#include "tests/cuda/simulated/cuda_runtime.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

#define ASSAY_LAUNCH(kernel, blocks, threads, sharedBytes, stream, ...)                                                \
    ((void)(stream), simulated::runGrid(blocks, threads, sharedBytes, [&] { kernel(__VA_ARGS__); }))
#define ASSAY_SHARED_BYTES(name) unsigned char* const name = simulated::sharedMemory()

namespace assay::cuda {

inline unsigned sharedAddress(const void* memory) {
    return static_cast<unsigned>(static_cast<const unsigned char*>(memory) - simulated::sharedMemory());
}
inline void copyChunk(unsigned shared, const void* global) {
    simulated::addCopy(shared, global);
}
inline void closeGroup() {
    simulated::closeCopies();
}
template <int kPending>
void waitForGroups() {
    simulated::finishCopies(kPending);
}

inline void loadMatrices(unsigned (&to)[4], unsigned shared) {
    *simulated::exchange(simulated::lane()) = shared;
    simulated::warpBarrier();
    const unsigned lane = simulated::lane();
    for (unsigned matrix = 0; matrix < 4; ++matrix) {
        const unsigned row = *simulated::exchange(matrix * 8 + lane / 4);
        if (row % 16 != 0 || row + 16 > simulated::sharedSize())
            std::abort();
        // The eight rows of a matrix are read together: from different banks, or one after the other.
        for (unsigned other = 0; other < 8; ++other)
            if (other != lane / 4 && *simulated::exchange(matrix * 8 + other) % 128 == row % 128) {
                std::puts("simulated device: rows of a matrix in the same banks");
                std::abort();
            }
        std::memcpy(&to[matrix], simulated::sharedMemory() + row + (lane % 4) * 4, 4);
    }
    simulated::warpBarrier();
}

inline float halfOf(unsigned pair, unsigned which) {
    return __uint_as_float(which == 0 ? pair << 16 : pair & 0xFFFF0000U);
}

inline void multiplyAdd(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    unsigned* own = simulated::exchange(simulated::lane());
    std::memcpy(own, a, sizeof a);
    own[4] = b0;
    own[5] = b1;
    simulated::warpBarrier();
    // Element (row, k) of a is in lane 4 (row % 8) + (k % 8) / 2, word (row / 8) + 2 (k / 8); element (k, column) of b
    // in lane 4 column + (k % 8) / 2, word k / 8; the lower half holds the even k.
    const unsigned lane = simulated::lane();
    for (unsigned e = 0; e < 4; ++e) {
        const unsigned row = lane / 4 + (e / 2) * 8;
        const unsigned column = (lane % 4) * 2 + e % 2;
        float total = sum[e];
        for (unsigned k = 0; k < 16; ++k) {
            const unsigned within = (k % 8) / 2;
            const float x = halfOf(simulated::exchange(4 * (row % 8) + within)[row / 8 + 2 * (k / 8)], k % 2);
            const float y = halfOf(simulated::exchange(4 * column + within)[4 + k / 8], k % 2);
            total += x * y;
        }
        sum[e] = total;
    }
    simulated::warpBarrier();
}

} // namespace assay::cuda

#pragma once

#include <cstddef>
#include <functional>

/// Runs kernels on the host: the threads of one block after the other as fibers of one thread, switched at barriers and
/// at what a warp does together. Slow, but every line of a kernel is executed, in an order that may be turned round.
namespace simulated {

/// How many there are of what CUDA hands out, so that a leak shows.
struct Handles {
    int memory = 0, pinned = 0, streams = 0, events = 0, cublas = 0;
    bool none() const { return memory == 0 && pinned == 0 && streams == 0 && events == 0 && cublas == 0; }
};

/// The machine that programs see.
struct Machine {
    int devices = 1;
    std::size_t memory = std::size_t{1} << 30; ///< of each device
    std::size_t largestAllocation = ~std::size_t{0};
    int sharedMemory = 99 * 1024; ///< that a block may ask for
    int major = 8;                ///< of the compute capability
    bool hasCublas = true;
    bool backwards = false; ///< threads and blocks in the opposite order
    Handles handles;
    long long launches = 0;
};
Machine& machine();

void runGrid(unsigned blocks, unsigned threads, std::size_t sharedBytes, const std::function<void()>& body);

// For the code that runs in a fiber:
void blockBarrier();
void warpBarrier();
unsigned lane();
/// Memory in which the lanes of a warp exchange values: 8 bytes of a lane.
unsigned* exchange(unsigned ofLane);
/// The block's shared memory. What lies beyond what the launch asked for ends the program.
unsigned char* sharedMemory();
std::size_t sharedSize();

} // namespace simulated

#pragma once

#include <cstddef>
#include <deque>
#include <functional>

/// Runs kernels on the host: the threads of one block after the other as fibers of one thread, switched at barriers and
/// at what a warp does together. Slow, but every line of a kernel is executed, in an order that may be turned round.
namespace simulated {

/// When queued work is done.
enum class Order {
    AsCalled,   ///< at once
    Late,       ///< when something waits for it: work that nothing waits for is not done
    CopiesFirst ///< copies at once, kernels late: rows copied too early overwrite rows that are still read
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
    Order order = Order::AsCalled;
    /// Share of the error that the bounds allow a product of floats, drawn at random for every product. 0: a plain sum.
    double productError = 0.0;
};
Machine& machine();

/// A machine that a test changes, restored by the destructor.
class ChangedMachine {
public:
    ChangedMachine() : before_(machine()) {}
    ChangedMachine(const ChangedMachine&) = delete;
    ChangedMachine& operator=(const ChangedMachine&) = delete;
    ~ChangedMachine() { machine() = before_; }
    Machine* operator->() { return &machine(); }

private:
    Machine before_;
};

/// Counts since the program's start.
struct Counts {
    /// How many there are of what CUDA hands out, so that a leak shows.
    int memory = 0, pinned = 0, streams = 0, events = 0, cublas = 0;
    long long launches = 0;
    std::size_t used = 0; ///< bytes of memory on all devices
    std::size_t largestUse = 0;

    bool nothingIsHeld() const {
        return memory == 0 && pinned == 0 && streams == 0 && events == 0 && cublas == 0 && used == 0;
    }
};
Counts& counts();
/// Adds to one of the handles' counts. Safe from any thread.
void count(int Counts::*which, int change);

/// Memory of a device, poisoned. Null where there is none left. Safe from any thread.
std::byte* allocate(std::size_t bytes);
void release(void* memory);
/// Ends the program where this is not within one piece of a device's memory.
void requireOnDevice(const void* memory, std::size_t bytes);

/// Work in the order of the calls.
class Stream {
public:
    explicit Stream(bool late) : late_(late) {}
    ~Stream() { finish(); }
    void add(std::function<void()> work);
    /// Does the work that was added before the given number of calls of add().
    void finishUntil(std::size_t number);
    void finish() { finishUntil(added_); }
    std::size_t added() const { return added_; }

private:
    bool late_;
    std::deque<std::function<void()>> work_;
    std::size_t added_ = 0, done_ = 0;
};
Stream* makeStream();
/// @param stream null: at once
void add(Stream* stream, std::function<void()> work);

struct Grid {
    unsigned blocks, threads;
    std::size_t sharedBytes;
};
void runGrid(const Grid& grid, const std::function<void()>& body);

// For the code that runs in a fiber:
void blockBarrier();
void warpBarrier();
unsigned lane();
/// Hands over up to 8 bytes of each lane. @return those of the lane `from` of the warp
const unsigned* exchange(const void* own, std::size_t bytes, unsigned from);
/// The value of another lane in the last exchange().
const unsigned* exchanged(unsigned from);
/// The block's shared memory. What lies beyond what the launch asked for ends the program.
unsigned char* sharedMemory();

} // namespace simulated

#include "tests/cuda/simulated/simulator.h"

#include "tests/cuda/simulated/cuda_runtime.h"

#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <ucontext.h>
#include <vector>

Index3 threadIdx{};
Index3 blockIdx{};
Index3 blockDim{};
Index3 gridDim{};

namespace simulated {
namespace {

constexpr std::size_t kStackBytes = std::size_t{128} << 10;
constexpr unsigned kWarp = 32;
constexpr int kPoison = 0xA5;

enum class State { Ready, AtBlockBarrier, AtWarpBarrier, Done };

struct Fiber {
    std::unique_ptr<unsigned char[]> stack = std::make_unique<unsigned char[]>(kStackBytes);
    ucontext_t context{};
    std::jmp_buf jump{};
    State state = State::Done;
    bool started = false;
};

struct Scheduler {
    std::vector<Fiber> fibers;
    std::vector<std::array<unsigned, kWarp * 2>> exchanged;
    std::vector<unsigned char> shared;
    std::size_t sharedSize = 0;
    std::jmp_buf home{};
    unsigned running = 0;
    unsigned threads = 0;
    const std::function<void()>* body = nullptr;
};

Scheduler& scheduler() {
    static Scheduler one;
    return one;
}

[[noreturn]] void fail(const char* what) {
    std::printf("simulated device: %s (block %u, thread %u)\n", what, blockIdx.x, threadIdx.x);
    std::abort();
}

void resume(unsigned thread) {
    Scheduler& s = scheduler();
    s.running = thread;
    threadIdx.x = thread;
    if (_setjmp(s.home) != 0)
        return;
    Fiber& fiber = s.fibers[thread];
    if (fiber.started)
        _longjmp(fiber.jump, 1);
    fiber.started = true;
    setcontext(&fiber.context);
}

void yieldAs(State state) {
    Scheduler& s = scheduler();
    Fiber& fiber = s.fibers[s.running];
    fiber.state = state;
    if (_setjmp(fiber.jump) == 0)
        _longjmp(s.home, 1);
}

/// What a fiber does: one thread of a block after the other.
void enter() {
    for (;;) {
        (*scheduler().body)();
        yieldAs(State::Done);
    }
}

/// Lets those go on that wait for each other. @return whether any did
bool release(unsigned first, unsigned end, State waiting) {
    Scheduler& s = scheduler();
    unsigned arrived = 0;
    for (unsigned t = first; t < end; ++t) {
        if (s.fibers[t].state == State::Done)
            continue;
        if (s.fibers[t].state != waiting)
            return false;
        ++arrived;
    }
    for (unsigned t = first; t < end; ++t)
        if (s.fibers[t].state == waiting)
            s.fibers[t].state = State::Ready;
    return arrived > 0;
}

/// Runs a warp until its threads are done or wait for other warps.
bool runWarp(unsigned first, unsigned end) {
    Scheduler& s = scheduler();
    bool any = false;
    do {
        for (unsigned t = first; t < end; ++t) {
            const unsigned thread = machine().backwards ? end - 1 - (t - first) : t;
            if (s.fibers[thread].state == State::Ready) {
                resume(thread);
                any = true;
            }
        }
    } while (release(first, end, State::AtWarpBarrier));
    return any;
}

void startFibers() {
    Scheduler& s = scheduler();
    for (unsigned t = 0; t < s.threads; ++t) {
        Fiber& fiber = s.fibers[t];
        if (!fiber.started) {
            getcontext(&fiber.context);
            fiber.context.uc_stack.ss_sp = fiber.stack.get();
            fiber.context.uc_stack.ss_size = kStackBytes;
            fiber.context.uc_link = nullptr;
            makecontext(&fiber.context, enter, 0);
        }
        fiber.state = State::Ready;
    }
}

void runBlock() {
    Scheduler& s = scheduler();
    std::memset(s.shared.data(), kPoison, s.shared.size());
    startFibers();
    for (;;) {
        bool any = false;
        for (unsigned first = 0; first < s.threads; first += kWarp)
            any = runWarp(first, std::min(first + kWarp, s.threads)) || any;
        bool done = true;
        for (unsigned t = 0; t < s.threads; ++t)
            done = done && s.fibers[t].state == State::Done;
        if (done)
            break;
        if (!release(0, s.threads, State::AtBlockBarrier) && !any)
            fail("threads wait for each other at different places");
    }
    for (std::size_t b = s.sharedSize; b < s.shared.size(); ++b)
        if (s.shared[b] != kPoison)
            fail("shared memory was written beyond its end");
}

} // namespace

Machine& machine() {
    static Machine one;
    return one;
}

void runGrid(unsigned blocks, unsigned threads, std::size_t sharedBytes, const std::function<void()>& body) {
    static std::mutex oneAtATime;
    const std::scoped_lock lock(oneAtATime);
    ++machine().launches;
    Scheduler& s = scheduler();
    if (blocks == 0 || threads == 0 || threads > 1024)
        fail("a launch of no blocks, or of too many threads");
    if (sharedBytes > static_cast<std::size_t>(machine().sharedMemory))
        fail("a launch asks for more shared memory than there is");
    if (s.fibers.size() < threads)
        s.fibers.resize(threads);
    s.exchanged.resize((threads + kWarp - 1) / kWarp);
    s.threads = threads;
    s.sharedSize = sharedBytes;
    s.shared.resize(sharedBytes + 1024);
    s.body = &body;
    blockDim.x = threads;
    gridDim.x = blocks;
    for (unsigned b = 0; b < blocks; ++b) {
        blockIdx.x = machine().backwards ? blocks - 1 - b : b;
        runBlock();
    }
}

void blockBarrier() {
    yieldAs(State::AtBlockBarrier);
}

void warpBarrier() {
    yieldAs(State::AtWarpBarrier);
}

unsigned lane() {
    return threadIdx.x % kWarp;
}

unsigned* exchange(unsigned ofLane) {
    return scheduler().exchanged[threadIdx.x / kWarp].data() + std::size_t{ofLane} * 2;
}

unsigned char* sharedMemory() {
    return scheduler().shared.data();
}

std::size_t sharedSize() {
    return scheduler().sharedSize;
}

} // namespace simulated

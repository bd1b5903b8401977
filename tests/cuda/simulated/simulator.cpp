#include "tests/cuda/simulated/simulator.h"

#include "tests/cuda/simulated/cuda_runtime.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
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

enum class State : unsigned char { Ready, AtBlockBarrier, AtWarpBarrier, Done };

using Jump = std::array<void*, 5>; // of the compiler's own setjmp, which saves no more than it has to

struct Fiber {
    std::unique_ptr<unsigned char[]> stack = std::make_unique<unsigned char[]>(kStackBytes);
    Jump jump{};
    bool started = false;
};

struct Scheduler {
    std::vector<Fiber> fibers;
    std::vector<State> state;
    /// Of a lane: two places of 8 bytes. They take turns, so that one is read while the next value is written.
    std::vector<std::array<unsigned, 4>> exchanged;
    std::vector<unsigned char> turn; ///< of each thread
    std::vector<unsigned char> shared;
    std::size_t sharedSize = 0;
    Jump home{};
    unsigned running = 0;
    unsigned threads = 0;
    const std::function<void()>* body = nullptr;
};

Scheduler& scheduler() {
    static Scheduler one;
    return one;
}

std::recursive_mutex& oneAtATime() {
    static std::recursive_mutex one;
    return one;
}

[[noreturn]] void fail(const char* what) {
    std::printf("simulated device: %s (block %u, thread %u)\n", what, blockIdx.x, threadIdx.x);
    std::abort();
}

/// Consecutive threads.
struct Range {
    unsigned first, end;
};

Range warpOf(unsigned thread) {
    const unsigned first = thread / kWarp * kWarp;
    return {first, std::min(first + kWarp, scheduler().threads)};
}

constexpr unsigned kNone = ~0U;

/// The first thread of a warp that can run, in the order of running, at this place or later.
unsigned readyFrom(const Range& warp, unsigned place) {
    const bool backwards = machine().backwards;
    for (unsigned t = warp.first + place; t < warp.end; ++t) {
        const unsigned thread = backwards ? warp.end - 1 - (t - warp.first) : t;
        if (scheduler().state[thread] == State::Ready)
            return thread;
    }
    return kNone;
}

/// Lets those go on that wait for each other. @return whether any did
bool release(const Range& threads, State waiting) {
    std::vector<State>& state = scheduler().state;
    bool any = false;
    for (unsigned t = threads.first; t < threads.end; ++t) {
        if (state[t] != State::Done && state[t] != waiting)
            return false;
        any = any || state[t] == waiting;
    }
    for (unsigned t = threads.first; t < threads.end; ++t)
        if (state[t] == waiting)
            state[t] = State::Ready;
    return any;
}

/// One thread of a block after the other.
void runThreads();

[[noreturn, gnu::noinline]] void enter(unsigned thread) {
    Scheduler& s = scheduler();
    s.running = thread;
    threadIdx.x = thread;
    Fiber& fiber = s.fibers[thread];
    if (fiber.started)
        __builtin_longjmp(fiber.jump.data(), 1);
    fiber.started = true;
    ucontext_t context{};
    getcontext(&context);
    context.uc_stack.ss_sp = fiber.stack.get();
    context.uc_stack.ss_size = kStackBytes;
    makecontext(&context, runThreads, 0);
    setcontext(&context);
    std::abort();
}

[[noreturn, gnu::noinline]] void leave() {
    __builtin_longjmp(scheduler().home.data(), 1);
}

/// Runs threads of a warp, from this one on, until all are done or wait for other warps.
[[gnu::noinline]] void runFrom(unsigned thread) {
    if (__builtin_setjmp(scheduler().home.data()) == 0)
        enter(thread);
}

/// The thread of the running one's warp that goes on.
unsigned nextInWarp() {
    const unsigned running = scheduler().running;
    const Range warp = warpOf(running);
    const unsigned place = machine().backwards ? warp.end - 1 - running : running - warp.first;
    const unsigned next = readyFrom(warp, place + 1);
    return next == kNone && release(warp, State::AtWarpBarrier) ? readyFrom(warp, 0) : next;
}

[[gnu::noinline]] void yieldAs(State state) {
    Scheduler& s = scheduler();
    s.state[s.running] = state;
    const unsigned next = nextInWarp();
    if (next == s.running || __builtin_setjmp(s.fibers[s.running].jump.data()) != 0)
        return;
    if (next == kNone)
        leave();
    enter(next);
}

void runThreads() {
    for (;;) {
        (*scheduler().body)();
        yieldAs(State::Done);
    }
}

void runBlock() {
    Scheduler& s = scheduler();
    std::memset(s.shared.data(), kPoison, s.shared.size());
    std::fill_n(s.state.begin(), s.threads, State::Ready);
    std::fill_n(s.turn.begin(), s.threads, 0);
    do {
        for (unsigned first = 0; first < s.threads; first += kWarp)
            if (const unsigned thread = readyFrom(warpOf(first), 0); thread != kNone)
                runFrom(thread);
    } while (release({0, s.threads}, State::AtBlockBarrier));
    for (unsigned t = 0; t < s.threads; ++t)
        if (s.state[t] != State::Done)
            fail("threads wait for each other at different places");
    for (std::size_t b = s.sharedSize; b < s.shared.size(); ++b)
        if (s.shared[b] != kPoison)
            fail("shared memory was written beyond its end");
}

std::map<const std::byte*, std::size_t>& pieces() {
    static std::map<const std::byte*, std::size_t> all;
    return all;
}

} // namespace

Machine& machine() {
    static Machine one;
    return one;
}

Counts& counts() {
    static Counts all;
    return all;
}

void count(int Counts::*which, int change) {
    const std::scoped_lock lock(oneAtATime());
    counts().*which += change;
}

std::byte* allocate(std::size_t bytes) {
    const std::scoped_lock lock(oneAtATime());
    if (bytes > machine().largestAllocation || bytes > machine().memory)
        return nullptr;
    auto* memory = static_cast<std::byte*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
    std::memset(memory, kPoison, bytes);
    pieces()[memory] = bytes;
    count(&Counts::memory, 1);
    counts().used += bytes;
    counts().largestUse = std::max(counts().largestUse, counts().used);
    return memory;
}

void release(void* memory) {
    const std::scoped_lock lock(oneAtATime());
    const auto piece = pieces().find(static_cast<std::byte*>(memory));
    if (piece == pieces().end())
        fail("memory is freed that is not the device's");
    count(&Counts::memory, -1);
    counts().used -= piece->second;
    pieces().erase(piece);
    std::free(memory);
}

void requireOnDevice(const void* memory, std::size_t bytes) {
    const std::scoped_lock lock(oneAtATime());
    const auto* begin = static_cast<const std::byte*>(memory);
    auto piece = pieces().upper_bound(begin);
    if (piece == pieces().begin() || begin + bytes > (--piece)->first + piece->second)
        fail("memory that is not the device's");
}

void Stream::add(std::function<void()> work) {
    work_.push_back(std::move(work));
    ++added_;
    if (!late_)
        finish();
}

void Stream::finishUntil(std::size_t number) {
    while (done_ < number) {
        const std::function<void()> work = std::move(work_.front());
        work_.pop_front();
        ++done_;
        work();
    }
}

Stream* makeStream() {
    const std::scoped_lock lock(oneAtATime());
    static bool computes = false; // a device makes a stream for kernels, then one for copies
    computes = !computes;
    count(&Counts::streams, 1);
    return new Stream(machine().order == Order::Late || (machine().order == Order::CopiesFirst && computes));
}

void add(Stream* stream, std::function<void()> work) {
    if (stream == nullptr)
        work();
    else
        stream->add(std::move(work));
}

void runGrid(const Grid& grid, const std::function<void()>& body) {
    const std::scoped_lock lock(oneAtATime());
    ++counts().launches;
    Scheduler& s = scheduler();
    if (grid.blocks == 0 || grid.threads == 0 || grid.threads > 1024)
        fail("a launch of no blocks, or of too many threads");
    if (grid.sharedBytes > static_cast<std::size_t>(machine().sharedMemory))
        fail("a launch asks for more shared memory than there is");
    if (s.fibers.size() < grid.threads) {
        s.fibers.resize(grid.threads);
        s.state.resize(grid.threads);
        s.turn.resize(grid.threads);
        s.exchanged.resize(grid.threads);
    }
    s.threads = grid.threads;
    s.sharedSize = grid.sharedBytes;
    s.shared.resize(grid.sharedBytes + 1024);
    s.body = &body;
    blockDim.x = grid.threads;
    gridDim.x = grid.blocks;
    for (unsigned b = 0; b < grid.blocks; ++b) {
        blockIdx.x = machine().backwards ? grid.blocks - 1 - b : b;
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

const unsigned* exchanged(unsigned from) {
    const Scheduler& s = scheduler();
    return s.exchanged[s.running / kWarp * kWarp + from].data() + 2 * s.turn[s.running];
}

const unsigned* exchange(const void* own, std::size_t bytes, unsigned from) {
    Scheduler& s = scheduler();
    const unsigned running = s.running;
    s.turn[running] = s.turn[running] == 0 ? 1 : 0;
    std::memcpy(s.exchanged[running].data() + 2 * s.turn[running], own, bytes);
    warpBarrier();
    return exchanged(from);
}

unsigned char* sharedMemory() {
    return scheduler().shared.data();
}

} // namespace simulated

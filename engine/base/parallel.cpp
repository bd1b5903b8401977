#include "engine/base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <latch>
#include <memory>
#include <mutex>
#include <sched.h>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <vector>

namespace assay {

unsigned resolveThreads(unsigned wanted) {
    if (wanted > 0)
        return wanted;
    // Containers and `taskset` restrict a process to fewer cores than the machine has.
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
    return std::max(1U, std::thread::hardware_concurrency());
}

namespace {

/// Number of threads, at most `wanted`, that the system can start in addition to the running ones.
unsigned startableThreads(unsigned wanted) {
    std::latch counted(1);
    std::vector<std::jthread> started;
    try {
        while (started.size() < wanted)
            started.emplace_back([&counted] { counted.wait(); });
    } catch (const std::system_error&) { // NOLINT(bugprone-empty-catch): the system has no more
    }
    counted.count_down();
    return static_cast<unsigned>(started.size());
}

/// Size of oneTBB's pool: that of the largest loop so far, even if that has more threads than cores.
class PoolSize {
public:
    static PoolSize& instance() {
        static PoolSize pool;
        return pool;
    }

    /// oneTBB ends the process if it cannot start a thread, so each thread is tried before the pool grows.
    /// @return threads, the calling one included, that a loop of `wanted` can have
    unsigned growTo(unsigned wanted) {
        const std::scoped_lock lock(mutex_);
        if (wanted > threads_) {
            threads_ += startableThreads(wanted - threads_);
            limit_ = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, threads_);
        }
        return std::min(wanted, threads_);
    }

private:
    std::mutex mutex_;
    unsigned threads_ = 1;
    std::unique_ptr<tbb::global_control> limit_;
};

/// Niceness of the calling thread: Linux has one per thread.
int niceness() {
    return getpriority(PRIO_PROCESS, 0);
}

/// Lowers the priority of a pool's thread to that of the thread that started its work: a job that runs at a lower
/// priority than the window does so on all its threads. Most processes may not raise it again.
void takeNiceness(int callersNiceness) {
    if (niceness() < callersNiceness)
        setpriority(PRIO_PROCESS, 0, callersNiceness);
}

/// Runs work(0) on the calling thread and work(worker) of the others on the pool's threads. Where these are busy, the
/// calling thread runs the rest after its own. Each loop has an arena of its own: a thread that waits for a nested loop
/// runs no task of another one.
void runWorkers(unsigned wanted, const std::function<void(unsigned worker)>& work) {
    const unsigned workers = wanted > 1 ? PoolSize::instance().growTo(wanted) : 1;
    if (workers == 1)
        return work(0);
    tbb::task_arena arena(static_cast<int>(workers));
    // ThreadSanitizer does not see how oneTBB orders the caller before its workers and these before what follows.
    std::atomic<unsigned> order = 0;
    ++order;
    const int callersNiceness = niceness();
    arena.execute([&] {
        tbb::task_group group;
        for (unsigned worker = 1; worker < workers; ++worker)
            group.run([&order, &work, callersNiceness, worker] {
                order.load();
                takeNiceness(callersNiceness);
                work(worker);
                ++order;
            });
        work(0);
        group.wait();
    });
    order.load();
}

} // namespace

bool startOnPool(unsigned threads, const std::function<void()>& work) {
    const unsigned wanted = resolveThreads(threads);
    if (wanted < 2 || PoolSize::instance().growTo(wanted) < 2)
        return false;
    // Before the workers of loops: these can start without one thread, but at their end wait for long single work.
    tbb::task_arena arena(1, 0, tbb::task_arena::priority::high);
    arena.enqueue([work, callersNiceness = niceness()] {
        takeNiceness(callersNiceness);
        work();
    });
    return true;
}

void parallelFor(std::size_t count, unsigned threads, const JobContext& job,
                 const std::function<void(std::size_t, unsigned)>& task) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    std::mutex failureMutex;

    const auto runTasks = [&](unsigned worker) {
        try {
            for (;;) {
                const std::size_t t = failed ? count : next++;
                if (t >= count)
                    return;
                if (worker == 0)
                    job.checkpoint(static_cast<double>(t) / static_cast<double>(count));
                else
                    job.throwIfStopped();
                task(t, worker);
            }
        } catch (...) {
            const std::scoped_lock lock(failureMutex);
            if (!failure)
                failure = std::current_exception();
            failed = true;
        }
    };
    runWorkers(static_cast<unsigned>(std::min<std::size_t>(resolveThreads(threads), count)), runTasks);
    if (failure)
        std::rethrow_exception(failure);
    job.checkpoint(1.0);
}

void parallelRanges(std::size_t count, std::size_t perRange, unsigned threads, const JobContext& job,
                    const std::function<void(std::size_t, std::size_t, unsigned)>& task) {
    parallelFor((count + perRange - 1) / perRange, threads, job, [&](std::size_t range, unsigned worker) {
        task(range * perRange, std::min(count, (range + 1) * perRange), worker);
    });
}

} // namespace assay

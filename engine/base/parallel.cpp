#include "engine/base/parallel.h"

#include "engine/base/error.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <sched.h>
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

/// Starts one more worker.
/// @return false when the system cannot start another thread: the running workers then share the work
bool startHelper(std::vector<std::jthread>& helpers, const std::function<void(unsigned)>& work, unsigned worker) {
    try {
        helpers.emplace_back(work, worker);
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

} // namespace

void parallelFor(std::size_t count, unsigned threads, const JobContext& job,
                 const std::function<void(std::size_t, unsigned)>& task) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    std::mutex failureMutex;

    const unsigned cores = resolveThreads(threads);
    SetAside* const setAside = job.counter();
    std::atomic<bool> over = false;
    // Threads set aside occupy one core each. With more workers than free cores, the loop would wait for the slowest at
    // its end.
    const auto waitForCore = [&](unsigned worker) {
        if (worker > 0 && setAside != nullptr)
            setAside->waitForFewer(cores - worker, over);
    };
    const auto work = [&](unsigned worker) {
        try {
            for (;;) {
                waitForCore(worker);
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
    {
        std::vector<std::jthread> helpers;
        const auto wanted = static_cast<unsigned>(std::min<std::size_t>(cores, std::max<std::size_t>(count, 1)));
        for (unsigned worker = 1; worker < wanted; ++worker)
            if (!startHelper(helpers, work, worker))
                break;
        work(0);
        over = true;
        if (setAside != nullptr)
            setAside->wake();
    }
    if (failure)
        std::rethrow_exception(failure);
    job.checkpoint(1.0);
}

} // namespace assay

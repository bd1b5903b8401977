#pragma once

#include "engine/base/error.h"
#include "engine/base/job_context.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <stop_token>
#include <string>
#include <thread>

// Tests of stop requests read no clock: they request a stop at a numbered check for one. How long work goes on after a
// request is measured by tests/bench/stop_bench.cpp.
namespace assay::test {

using StoppableWork = std::function<void(const JobContext&)>;

/// What a run did whose stop was requested at one of its checks.
struct StoppedRun {
    std::size_t checks = 0; ///< of all threads
    bool requested = false; ///< false when the run ended before that check
    bool cancelled = false; ///< it ended with Cancelled
    int reportsAfter = 0;   ///< progress reports after the request
};

/// @param check number of the check, counted from 0, at which the stop is requested
inline StoppedRun runStoppedAt(std::size_t check, const StoppableWork& work) {
    const std::thread::id jobThread = std::this_thread::get_id();
    std::stop_source source;
    std::atomic<std::size_t> checks = 0;
    std::atomic<int> underWay = 0;
    int reports = 0;
    const JobContext counted(source.get_token(), [&](const Progress&) { reports += source.stop_requested() ? 1 : 0; });
    const JobContext job = counted.withCheckCallback([&] {
        if (checks++ != check)
            return;
        // A worker's request can find the job's own thread between its check and the report that follows it.
        underWay = std::this_thread::get_id() == jobThread ? 0 : 1;
        source.request_stop();
    });
    bool cancelled = false;
    try {
        work(job);
    } catch (const Cancelled&) {
        cancelled = true;
    }
    return {checks, checks > check, cancelled, std::max(0, reports - underWay)};
}

/// Runs `work` to its end, and then again with a stop requested at its first check, after a quarter, half, three
/// quarters and nearly all of them.
/// @param leastChecks of the whole run: with fewer, the steps between two of them would be too long for large sets
/// @return empty when each of those runs ended with Cancelled and reported nothing more; else what went wrong
inline std::string stopFailure(const StoppableWork& work, std::size_t leastChecks) {
    const std::size_t checks = runStoppedAt(std::numeric_limits<std::size_t>::max(), work).checks;
    if (checks < std::max<std::size_t>(leastChecks, 1))
        return "expected at least " + std::to_string(leastChecks) + " checks for a stop request, found " +
               std::to_string(checks);
    for (const double share : {0.0, 0.25, 0.5, 0.75, 0.95}) {
        const auto at = static_cast<std::size_t>(share * static_cast<double>(checks));
        const StoppedRun run = runStoppedAt(at, work);
        if (!run.requested) // bounds that threads share can save some checks in one run and not in the other
            continue;
        const std::string where =
            " after a stop request at check " + std::to_string(at) + " of " + std::to_string(checks);
        if (!run.cancelled)
            return "went on to its end" + where;
        if (run.reportsAfter > 0)
            return "reported progress" + where;
    }
    return {};
}

} // namespace assay::test

#pragma once

#include "engine/base/parallel.h"

#include <future>
#include <system_error>
#include <utility>

namespace assay {

/// Starts work that uses one core while the caller continues. The returned future's get() waits for the result, or
/// rethrows the exception of the work. With one thread, or when the system cannot start another, get() runs the work
/// itself. When the future is destroyed without get(), it waits for work that has already started, so the work should
/// check the stop token.
/// @param threads the caller's thread count; 0 for every core
/// @param job counts the new thread (JobContext::withCoreReservations), so that the caller's parallel loops leave one
/// core free
/// @param work must report no progress: give it a JobContext made by silent()
template <typename Work>
auto runAlongside(unsigned threads, const JobContext& job, Work work) {
    if (resolveThreads(threads) > 1) {
        try {
            return std::async(std::launch::async, [work, counted = job.reserveCore()]() mutable {
                const std::shared_ptr<void> whileItRuns = std::move(counted);
                return work();
            });
        } catch (const std::system_error&) { // NOLINT(bugprone-empty-catch): done by get() then
        }
    }
    return std::async(std::launch::deferred, std::move(work));
}

} // namespace assay

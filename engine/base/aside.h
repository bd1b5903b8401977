#pragma once

#include "engine/base/parallel.h"

#include <future>
#include <system_error>
#include <utility>

namespace assay {

/// Starts work that keeps one core busy beside whatever the caller does next; get() waits for its result or throws what
/// it threw. With one thread, or where the system has no other to give, get() does the work itself. What is dropped
/// without get() is waited for if it has begun: it should look at the stop token.
/// @param job counts the thread (JobContext::counting), so that what the caller does next leaves it a core
/// @param work reports no progress: its JobContext is silent()
template <typename Work>
auto aside(unsigned threads, const JobContext& job, Work work) {
    if (resolveThreads(threads) > 1) {
        try {
            return std::async(std::launch::async, [work, counted = job.countOne()]() mutable {
                const std::shared_ptr<void> whileItRuns = std::move(counted);
                return work();
            });
        } catch (const std::system_error&) { // NOLINT(bugprone-empty-catch): done by get() then
        }
    }
    return std::async(std::launch::deferred, std::move(work));
}

} // namespace assay

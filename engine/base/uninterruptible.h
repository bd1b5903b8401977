#pragma once

#include "engine/base/job_context.h"

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

namespace assay {

/// Runs `call` on a detached thread, or on the calling thread if the system cannot start another. The process does not
/// wait for detached threads when it ends.
void runDetached(std::function<void()> call);

/// Runs a call that cannot check a stop token, such as one of LAPACK, and returns its result or rethrows its exception.
/// After a stop request this function throws Cancelled within some milliseconds; the call continues on another thread,
/// and its result is dropped.
/// @param call owns all data that it reads and writes, because it may outlive the caller
/// @throws Cancelled
template <typename Call>
std::invoke_result_t<Call&> runUninterruptible(const JobContext& job, Call call) {
    constexpr std::chrono::milliseconds kBetweenChecks{10};
    job.throwIfStopped();
    const auto task = std::make_shared<std::packaged_task<std::invoke_result_t<Call&>()>>(std::move(call));
    auto result = task->get_future();
    runDetached([task] { (*task)(); });
    while (result.wait_for(kBetweenChecks) != std::future_status::ready)
        job.throwIfStopped();
    return result.get();
}

} // namespace assay

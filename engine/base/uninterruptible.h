#pragma once

#include "engine/base/job_context.h"

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

namespace assay {

/// Runs `call` on a thread of its own that nobody waits for; on the calling thread where the system has no other to
/// give. When the process ends, it does not wait for such threads either.
void runDetached(std::function<void()> call);

/// Runs a call that cannot look at a stop token, such as one of LAPACK, and returns its result or throws what it threw.
/// A stop request is seen within some milliseconds: the caller goes on with Cancelled, the call goes on to its own end
/// on another thread, and its result is dropped.
/// @param call owns all that it reads and writes: it may outlive everything of the caller's
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

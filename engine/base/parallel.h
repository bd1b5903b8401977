#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <functional>

namespace assay {

/// Number of threads to use for a wish of `wanted`; 0 means every core this process may run on.
unsigned resolveThreads(unsigned wanted);

/// Runs task(t, worker) for every t in [0, count), handing out t in ascending order to `threads` workers, of which as
/// many wait as threads are set aside for the job (JobContext::setAside) at the time; the calling thread is worker 0
/// and the only one that reports progress. A stop request is seen before each task, so a task should take well under 50
/// ms.
/// @throws Cancelled after a stop request; otherwise whatever the first failing task threw. All workers have ended by
/// then.
void parallelFor(std::size_t count, unsigned threads, const JobContext& job,
                 const std::function<void(std::size_t task, unsigned worker)>& task);

} // namespace assay

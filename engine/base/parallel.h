#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <functional>

namespace assay {

/// Number of threads to use. @param wanted 0 for every core that this process may run on
unsigned resolveThreads(unsigned wanted);

/// Runs task(t, worker) for every t in [0, count). Workers take t in ascending order. The calling thread is worker 0
/// and the only one that reports progress. The others run on the threads of one pool, as many as are free: one whose
/// thread is free too late takes no task. Each worker checks for a stop request before each task, so a task should take
/// well under 50 ms.
/// @param threads number of workers; 0 for every core
/// @throws Cancelled after a stop request; otherwise the first exception that a task threw. All workers have ended by
///         then.
void parallelFor(std::size_t count, unsigned threads, const JobContext& job,
                 const std::function<void(std::size_t task, unsigned worker)>& task);

/// Runs task(first, last, worker) for consecutive ranges [first, last) of `perRange` indices (the last one may be
/// shorter) that together are [0, count). Otherwise as parallelFor().
void parallelRanges(std::size_t count, std::size_t perRange, unsigned threads, const JobContext& job,
                    const std::function<void(std::size_t first, std::size_t last, unsigned worker)>& task);

/// Runs `work` once on a thread of the pool, as soon as one is free.
/// @param threads the caller's thread count; 0 for every core
/// @param work throws nothing
/// @return false, without running it, with one thread, or when the system cannot start another
bool startOnPool(unsigned threads, const std::function<void()>& work);

} // namespace assay

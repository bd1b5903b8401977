#pragma once

#include "engine/base/job_context.h"

#include <functional>

namespace assay {

/// Runs `work` in a child process first, because damaged input can crash or hang a library. An exception of `work`
/// counts as a normal end.
/// @param work must not change anything outside the process
/// @param seconds time limit; the child is killed afterwards
/// @return whether the child ended normally within the limit; also true when the system cannot start a process
/// @throws Cancelled after a stop request; the child is killed
bool completesInChildProcess(const std::function<void()>& work, unsigned seconds, const JobContext& job);

} // namespace assay

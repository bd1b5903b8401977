#pragma once

#include "engine/base/job_context.h"

#include <functional>

namespace assay {

/// Whether work comes to an end where it is done by a child process of this one: for a library that damaged input can
/// crash or hang. The child goes as far as `work` does, whether that throws or not, and has `seconds` for it.
/// @param work changes nothing outside the process
/// @return true also where the system has no process to give
/// @throws Cancelled, with the child ended
bool survivesInAChild(const std::function<void()>& work, unsigned seconds, const JobContext& job);

} // namespace assay

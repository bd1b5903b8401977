#pragma once

#include "engine/job/job_context.h"

#include <cstddef>
#include <span>

namespace assay {

/// Index of the first value that is NaN or infinite, `values.size()` when there is none. At memory speed, on the
/// calling thread.
std::size_t firstNotFinite(std::span<const float> values) noexcept;

/// The same for many values, on several threads.
/// @param threads 0 for every core
/// @throws Cancelled
std::size_t firstNotFinite(std::span<const float> values, unsigned threads, const JobContext& job);

} // namespace assay

#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

/// Index of the first value that is NaN or infinite, `values.size()` when there is none. At memory speed, on the
/// calling thread.
std::size_t firstNotFinite(std::span<const float> values) noexcept;

/// Result of checking every value.
struct Inspected {
    std::size_t firstNotFinite = 0; ///< as above
    float largest = 0.0F;           ///< magnitude of any value, if all are finite; 0 for none
};

/// The same for many values, on several threads.
/// @param threads 0 for every core
/// @throws Cancelled
Inspected inspect(std::span<const float> values, unsigned threads, const JobContext& job);

/// A checksum of many values in their places, at memory speed, on several threads: tells values that have changed from
/// those that have not. @throws Cancelled
std::uint64_t checksumOf(std::span<const float> values, unsigned threads, const JobContext& job);

} // namespace assay

#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace assay {

/// Index of the first value that is NaN or infinite, `values.size()` when all are finite. Runs at memory speed on the
/// calling thread.
std::size_t firstNotFinite(std::span<const float> values) noexcept;

/// Result of inspect().
struct Inspected {
    std::size_t firstNotFinite = 0; ///< index of the first NaN or infinite value; number of values when all are finite
    float largest = 0.0F;           ///< largest magnitude, valid when all values are finite; 0 without values
};

/// Finds the first value that is not finite and the largest magnitude, on several threads.
/// @param threads 0 for every core
/// @throws Cancelled
Inspected inspect(std::span<const float> values, unsigned threads, const JobContext& job);

/// A checksum of values and their positions, at memory speed, on several threads. Detects changed values.
/// @param threads 0 for every core
/// @throws Cancelled
std::uint64_t checksumOf(std::span<const float> values, unsigned threads, const JobContext& job);

/// The way out that messages about values that are not finite end with. The window names its own choice in its place.
inline constexpr std::string_view kNotFiniteAdvice =
    "--missing drop leaves such rows out, --missing indicate fills in missing values, not infinite ones";

} // namespace assay

#pragma once

#include "engine/job/job_context.h"

#include <cstddef>
#include <span>
#include <string>

namespace assay {

/// SHA-256 of a file, as 64 lower-case hex digits.
/// @throws Error{BadInput} when the file cannot be read; Cancelled
std::string sha256OfFile(const std::string& file, const JobContext& job = {});

/// SHA-256 of bytes in memory, as 64 lower-case hex digits. @throws Cancelled
std::string sha256OfBytes(std::span<const std::byte> bytes, const JobContext& job = {});

} // namespace assay

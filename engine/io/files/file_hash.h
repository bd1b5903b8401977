#pragma once

#include "engine/base/job_context.h"

#include <string>

namespace assay {

/// SHA-256 of a file, as 64 lower-case hex digits.
/// @throws Error{BadInput} when the file cannot be read; Cancelled
std::string sha256OfFile(const std::string& file, const JobContext& job = {});

} // namespace assay

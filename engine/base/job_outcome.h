#pragma once

#include <string>

namespace assay {

/// Outcome of a process or of a part of its work.
struct JobOutcome {
    int exitCode = 0;
    std::string message; ///< for the user; empty on success
};

} // namespace assay

#pragma once

#include <string>

namespace assay {

/// How a process or a part of its work ended.
struct JobOutcome {
    int exitCode = 0;
    std::string message; ///< for the user; empty on success
};

} // namespace assay

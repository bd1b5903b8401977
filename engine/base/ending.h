#pragma once

#include <string>

namespace assay {

/// How the work of a process ended.
struct Ending {
    int exitCode = 0;
    std::string message; ///< for the person; empty when all is well
};

} // namespace assay

#include "engine/cli/launch.h"

#include <algorithm>
#include <cstdlib>

namespace assay {
namespace {

/// Number in an environment variable, or -1. Call it before any other thread starts.
int numberIn(const char* variable) {
    const char* text = std::getenv(variable); // NOLINT(concurrency-mt-unsafe)
    return text == nullptr ? -1 : std::atoi(text);
}

int startedRank() {
    return std::max({numberIn("OMPI_COMM_WORLD_RANK"), numberIn("PMIX_RANK"), numberIn("PMI_RANK")});
}

} // namespace

bool startedByLauncher() {
    return startedRank() >= 0;
}

int startedProcesses() {
    return std::max({1, numberIn("OMPI_COMM_WORLD_SIZE"), numberIn("PMI_SIZE"), startedRank() + 1});
}

bool isSecondaryRank() {
    return startedRank() > 0;
}

} // namespace assay

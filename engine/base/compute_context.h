#pragma once

#include "engine/base/job_context.h"

#include <cstdint>

namespace assay {

class Accelerator;

/// How something is computed, whatever it is computed from.
struct ComputeContext {
    std::uint64_t seed = 0;                   ///< of all that is drawn at random
    unsigned threads = 0;                     ///< 0 for every core
    JobContext job = {};                      ///< to be stopped by, and to report progress to
    const Accelerator* accelerator = nullptr; ///< takes over what it can; null: the CPU does everything

    /// The same for a part of the job.
    ComputeContext part(double begin, double end) const {
        return {seed, threads, job.part({}, begin, end), accelerator};
    }
};

} // namespace assay

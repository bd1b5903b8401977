#pragma once

#include "engine/base/job_context.h"

#include <cstdint>

namespace assay {

class Accelerator;

/// Settings of a computation.
struct ComputeContext {
    std::uint64_t seed = 0;                   ///< seed of all random draws
    unsigned threads = 0;                     ///< 0: all cores
    JobContext job = {};                      ///< stop token and progress
    const Accelerator* accelerator = nullptr; ///< computes what it supports; null: the CPU computes everything

    /// The same settings for a part of the job.
    ComputeContext part(double begin, double end) const {
        return {seed, threads, job.part({}, begin, end), accelerator};
    }
};

} // namespace assay

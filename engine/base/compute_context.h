#pragma once

#include "engine/base/job_context.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

/// A graphics card that an audit uses for more than the neighbour search (see NeighborSearch::accelerator). Each
/// further kind of work is an interface of its own (GramAccelerator, LayoutAccelerator,
/// PairAccelerator); abilityOf() finds it. An accelerator may decline work when its memory is too small; the CPU then
/// does this work. One thread uses it at a time; other threads wait.
class Accelerator {
public:
    virtual ~Accelerator() = default;
};

/// Casts the accelerator to the interface `Ability`.
/// @return null when `accelerator` is null or does not implement `Ability`
template <typename Ability>
const Ability* abilityOf(const Accelerator* accelerator) {
    return dynamic_cast<const Ability*>(accelerator);
}

/// Stage names for job progress: which processor does the work.
inline constexpr std::string_view kOnTheCard = "on the graphics card";
inline constexpr std::string_view kLeftToTheCpu = "too much for the graphics card, on the CPU";

/// The job context for work on the CPU. Progress names the stage kLeftToTheCpu when an accelerator declined this work.
/// @param declined the accelerator that declined; null when there is no accelerator
inline JobContext onTheCpu(const JobContext& job, const void* declined) {
    return job.part(std::string(declined != nullptr ? kLeftToTheCpu : std::string_view()), 0.0, 1.0);
}

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

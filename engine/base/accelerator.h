#pragma once

#include "engine/base/job_context.h"

#include <string>
#include <string_view>

namespace assay {

/// A graphics card beside the search (NeighborSearch::accelerator). What else it takes over is an interface of its own
/// (GramAccelerator, OneClassAccelerator, LayoutAccelerator), which abilityOf() finds. It may decline: then there is
/// too little memory on it, and the CPU does the work. Used by one thread at a time, others wait.
class Accelerator {
public:
    virtual ~Accelerator() = default;
};

/// The accelerator as one that has this ability; null where it has not, or there is none.
template <typename Ability>
const Ability* abilityOf(const Accelerator* accelerator) {
    return dynamic_cast<const Ability*>(accelerator);
}

/// Stages of a job's progress.
inline constexpr std::string_view kOnTheCard = "on the graphics card";
inline constexpr std::string_view kLeftToTheCpu = "too much for the graphics card, on the CPU";

/// The job of the CPU, which does what the accelerator, if there is one, declined to do.
inline JobContext onTheCpu(const JobContext& job, const void* declined) {
    return job.part(std::string(declined != nullptr ? kLeftToTheCpu : std::string_view()), 0.0, 1.0);
}

} // namespace assay

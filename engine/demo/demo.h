#pragma once

#include "engine/job/job_context.h"

#include <memory>
#include <vector>

namespace assay {

class EmbeddingSet;

/// The built-in demo: a real set of small procedural pictures and several generators with planted faults.
struct Demo {
    std::shared_ptr<const EmbeddingSet> real;
    std::vector<std::shared_ptr<const EmbeddingSet>> models;
};

/// Makes the demo, the same bytes on every machine.
Demo makeDemo(const JobContext& job = {});

} // namespace assay

#pragma once

#include "engine/base/job_context.h"

#include <memory>
#include <string_view>
#include <vector>

namespace assay {

class EmbeddingSet;

/// The built-in demo: a real set of small procedural pictures and several generators with planted faults.
///
/// Every set has 32 x 32 RGB pictures, 64-dimensional embeddings computed from their pixels, class names as labels and
/// ids that tell the planted truth: "real-0042", "noise-0012", "good-0013", "copy-0007-of-real-0042". The number is the
/// row. Noise has the label "noise".
struct Demo {
    std::shared_ptr<const EmbeddingSet> real;
    std::vector<std::shared_ptr<const EmbeddingSet>> models; ///< in the order of kDemoGenerators (recipe.h)
    std::vector<std::string_view> descriptions;              ///< one per model: the planted fault in one sentence
};

/// Makes the demo, the same bytes on every machine.
/// @throws Cancelled
Demo makeDemo(const JobContext& job = {});

} // namespace assay

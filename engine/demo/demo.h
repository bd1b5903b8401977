#pragma once

#include "engine/base/job_context.h"

#include <memory>
#include <vector>

namespace assay {

class EmbeddingSet;

/// The built-in demo: a real set of small procedural pictures, and several generators with known faults.
///
/// Every set has 32 x 32 RGB pictures, 64-dimensional embeddings computed from the pixels, class names as labels
/// ("noise" for noise), and ids that state the ground truth: "real-0042", "noise-0012", "good-0013",
/// "copy-0007-of-real-0042". The number is the row.
struct Demo {
    std::shared_ptr<const EmbeddingSet> real;
    std::vector<std::shared_ptr<const EmbeddingSet>> models; ///< in the order of kDemoGenerators (recipe.h)
};

/// Generates the demo. The result is identical on every machine.
/// @throws Cancelled
Demo makeDemo(const JobContext& job = {});

} // namespace assay

#pragma once

#include "engine/data/embedding_set.h"
#include "gui/jobs/engine_calls.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace assay::test {

/// 200 pictures of the demo's classes by turns, embedded and labelled.
EmbeddingParts drawnPictures(const std::string& name, std::uint64_t seed, std::size_t blurPasses = 0);

/// The real engine with a small demo that is scored at once: 200 real pictures, and 200 each of "faithful" and
/// "blurry".
EngineCalls smallDemoCalls();

} // namespace assay::test

#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"

#include <string>

namespace assay {

/// Adds a note when rows that differ in the file are equal as float32: distances between them are then 0.
/// @throws Cancelled
void noteEqualRows(EmbeddingParts& parts, const std::string& place, const ComputeContext& context);

} // namespace assay

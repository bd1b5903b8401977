#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"

#include <string>

namespace assay {

/// Says in a note which rows differ in the file and are equal as float32: distances cannot tell them apart.
void noteEqualRows(EmbeddingParts& parts, const std::string& place, unsigned threads, const JobContext& job);

} // namespace assay

#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/sets/set_files.h"

namespace assay {

/// Adds classes, ids, groups and pictures from other files to a set's rows; the source's notes report how.
/// @throws Error{BadInput} as joinRows(), and when a row has no class or group; Error{NotEnoughMemory}; Cancelled
void joinBeside(EmbeddingParts& parts, const SetFiles& files, const JobContext& job);

/// The files from which a set was read, with its join settings, so that reading them again gives the same set.
SetFiles filesOf(const SourceInfo& source);

} // namespace assay

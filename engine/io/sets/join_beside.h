#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/sets/set_files.h"

namespace assay {

/// Gives a set's rows the classes, ids and pictures of other files, and reports it in the notes of its source.
/// @throws as joinRows; Error{BadInput} also where a row has no class
void joinBeside(EmbeddingParts& parts, const SetFiles& files, const JobContext& job);

/// The files that a set was read from, so that reading them joins the same way.
SetFiles filesOf(const SourceInfo& source);

} // namespace assay

#pragma once

#include "engine/data/embedding_set.h"
#include "engine/io/sets/set_files.h"
#include "engine/store/stored_values.h"

#include <string>

namespace assay::store {

/// Writes below `path` which other files a set's pictures and labels come from; writes nothing when there are none.
void writeBeside(ValueWriter& values, const std::string& path, const SourceInfo& source);

/// Adds the recorded files of pictures and labels to a set's files. Each is searched at its recorded place, then beside
/// the audit file. Missing pictures are left out, which the note of `files` reports; missing labels are an error,
/// because scores by class depend on them.
/// @param files the embeddings' file must be set
/// @throws Error{BadInput} when labels are missing or have changed
void readBeside(const ValueReader& values, const std::string& path, const std::string& auditFile, SetFiles& files);

} // namespace assay::store

#pragma once

#include "engine/data/embedding_set.h"
#include "engine/io/sets/set_files.h"
#include "engine/store/stored_values.h"

#include <string>

namespace assay::store {

/// Which pictures and labels from elsewhere a set was joined with, below `path`; nothing where there are none.
void writeBeside(ValueWriter& values, const std::string& path, const SourceInfo& source);

/// Gives them to a set's files. Files are looked for where they were, or else beside the audit file. Pictures that are
/// gone are left out, which the files' note says; labels are not, because scores by class rest on them.
/// @param files with the embeddings already found
/// @throws Error{BadInput} where labels are missing or have changed
void readBeside(const ValueReader& values, const std::string& path, const std::string& auditFile, SetFiles& files);

} // namespace assay::store

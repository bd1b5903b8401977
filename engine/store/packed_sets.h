#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/store/stored_values.h"

#include <cstddef>
#include <memory>
#include <string>

// Whole sets inside an audit file, which then needs no input files: embeddings, classes, ids and pictures below
// `PATH/packed`.
namespace assay::store {

/// Facts about a packed set that are stored elsewhere in the audit file.
struct PackedSet {
    std::string file; ///< the audit file
    std::string path; ///< path of the set: "real", "models/0", "held_out"
    std::string name;
    std::string source; ///< original file with its key; empty for generated data
    std::string sha256; ///< of the original file
    std::size_t rows = 0;
    std::size_t dim = 0;
    PreparationPtr preparation{}; ///< preparation that was applied to the packed values
};

/// Writes a set with all its data.
/// @param path path of the set, without "/packed"
/// @throws Error{BadInput} when a picture can no longer be read; Error{WriteFailed}; Cancelled
void writePacked(ValueWriter& values, const std::string& path, const EmbeddingSet& set, const JobContext& job);

/// Whether the audit file contains the set of that path.
bool hasPacked(const ValueReader& values, const std::string& path);

/// Reads a packed set. Every array is verified with its SHA-256. Pictures stay in the file and are read on demand.
/// @throws Error{BadInput} when data is missing, damaged or of the wrong shape; Cancelled
std::shared_ptr<const EmbeddingSet> readPacked(ValueReader& values, const PackedSet& packed, const JobContext& job);

} // namespace assay::store

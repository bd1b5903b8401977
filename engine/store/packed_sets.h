#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"

#include <cstddef>
#include <memory>
#include <string>

namespace assay {

class ValueReader;
class ValueWriter;

} // namespace assay

// Whole sets inside an audit file, so that it needs no inputs: embeddings, classes, ids and pictures below
// `PATH/packed`.
namespace assay::store {

/// What an audit file says of a packed set elsewhere.
struct PackedSet {
    std::string file; ///< the audit file
    std::string path; ///< of the set: "real", "models/0", "held_out"
    std::string name;
    std::string source; ///< the file it came from, with its key; empty for generated data
    std::string sha256; ///< of that file
    std::size_t rows = 0;
    std::size_t dim = 0;
    PreparationPtr preparation{}; ///< that the packed values have been through
};

/// @throws Error{BadInput} when a picture cannot be read any more; Error{WriteFailed}; Cancelled
void writePacked(ValueWriter& values, const std::string& path, const EmbeddingSet& set, const JobContext& job);

bool hasPacked(const ValueReader& values, const std::string& path);

/// The set as it was packed; every byte is compared with its SHA-256. Pictures stay in the file and are read when they
/// are asked for.
/// @throws Error{BadInput}; Cancelled
std::shared_ptr<const EmbeddingSet> readPacked(ValueReader& values, const PackedSet& packed, const JobContext& job);

} // namespace assay::store

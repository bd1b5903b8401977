#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/value_reading.h"

#include <functional>
#include <string>

namespace assay {

struct ReadOptions;
struct SetFiles;

/// Where the rows of a set come from: a file, or arrays in memory.
struct SetSource {
    std::string place; ///< file, or file and key, for messages
    std::string file;  ///< as SourceInfo::file
    std::string name;  ///< of the set
    /// Reads the rows with the given settings; called again when rounding to float32 would lose differences.
    std::function<EmbeddingParts(const ValueReading&, const JobContext&)> read;
};

/// Reads the rows of a source and prepares them: joins classes and pictures of other files, fits or applies the
/// preparation, scales. All that is left to do is the set's hash and its checks.
/// @param beside files of pictures and classes beside the rows
/// @throws as readSet()
EmbeddingParts readParts(const SetSource& source, const ReadOptions& options, const SetFiles& beside,
                         const JobContext& job);

} // namespace assay

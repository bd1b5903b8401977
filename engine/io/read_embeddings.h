#pragma once

#include "engine/job/job_context.h"

#include <memory>
#include <string>

namespace assay {

class EmbeddingSet;

/// A file as people name it on the command line: `FILE` or `FILE.npz:KEY`.
struct FileSpec {
    std::string file;
    std::string key; ///< empty: find the embeddings by convention
};

/// Splits `FILE.npz:KEY`. The whole text is a file name when such a file exists.
FileSpec parseFileSpec(const std::string& text);

/// Reads one set of samples, whatever format the file's content shows it to be (not its extension).
///
/// Rows become float32; NaN and infinite values are refused with their row and column. An `.npz` is read by convention:
/// `embeddings` (with `images`, `labels`, `ids`), else dgm-eval's `reps`, else the only 2-D numeric array.
/// The set's name is the file's stem. Its source holds the file as given, the key and the file's SHA-256.
/// @throws Error{BadInput} naming the file and key, what was expected and what was found; Cancelled
std::shared_ptr<const EmbeddingSet> readEmbeddings(const std::string& fileSpec, const JobContext& job = {});

} // namespace assay

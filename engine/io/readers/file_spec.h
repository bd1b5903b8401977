#pragma once

#include <string>

namespace assay {

/// A file as named on the command line: `FILE` or `FILE:KEY`, where KEY names an array in the file.
struct FileSpec {
    std::string file;
    std::string key; ///< empty: the reader finds the embeddings by convention
};

/// Splits `FILE:KEY`. If a file of the whole name exists, there is no key. Otherwise, FILE is the longest part before a
/// colon that is an existing file; failing that, the part up to the last ending of a format with keys
/// (endingsWithKeys()) that a colon follows.
FileSpec parseFileSpec(const std::string& text);

} // namespace assay

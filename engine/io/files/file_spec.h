#pragma once

#include <string>

namespace assay {

/// A file as people name it on the command line: `FILE` or `FILE.npz:KEY`.
struct FileSpec {
    std::string file;
    std::string key; ///< empty: find the embeddings by convention
};

/// Splits `FILE.npz:KEY`. The whole text is a file name when such a file exists; else the longest part before a colon
/// that is an existing file; else the part up to the last `.npz` that a colon follows.
FileSpec parseFileSpec(const std::string& text);

} // namespace assay

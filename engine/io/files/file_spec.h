#pragma once

#include <string>
#include <string_view>

namespace assay {

/// A file as named on the command line: `FILE` or `FILE:KEY`, where KEY names an array in the file.
struct FileSpec {
    std::string file;
    std::string key; ///< empty: the reader finds the embeddings by convention
};

/// Splits `FILE:KEY`. If a file of the whole name exists, there is no key. Otherwise, FILE is the longest part before a
/// colon that is an existing file; failing that, the part up to the last `.npz` (or .safetensors, .pt, .pth, .h5,
/// .hdf5, .mat) that a colon follows.
FileSpec parseFileSpec(const std::string& text);

/// Whether the name has a picture's ending: .png, .jpg, .jpeg, .webp, .bmp, .gif, .tif or .tiff, in upper or lower
/// case.
bool isNamedPicture(std::string_view name);

} // namespace assay

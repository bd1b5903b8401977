#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/pictures/picture_sets.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// Pictures read on their own, for display beside embeddings from another file.
struct PictureParts {
    std::shared_ptr<const ImageStore> images; ///< at least one
    std::vector<std::string> ids;             ///< one per picture, or empty
    ClassLabels labels;                       ///< one per picture, or empty
    ClassLabels groups;                       ///< one per picture, or empty
    std::vector<std::string> notes;           ///< for the user, one sentence each: what was left out
};

/// Reads the pictures of a file or folder; the content decides the format. Pictures of a folder are only listed and are
/// decoded on demand.
/// @param spec `FILE`, `FILE.npz:KEY` or a folder
/// @param order order of a folder's pictures
/// @throws Error{BadInput} naming the file, what was expected and what was found; Error{NotEnoughMemory}; Cancelled
PictureParts readPictureParts(const std::string& spec, PictureOrder order, const JobContext& job);

/// A file format for embeddings. A new format needs one file with its functions and one row of the table.
struct Format {
    std::string_view description; ///< for messages: "a NumPy archive (.npz)"
    std::string_view patterns;    ///< file names, separated by spaces: "*.npz"; empty for folders

    /// Recognises the format by the content (`head()`, `size()`, `isDirectory()`), not by the name. Fast; never throws.
    bool (*recognises)(const InputFile& input);

    /// Reads the set. `key` names the array that the user chose, empty for none. The reader sets `source.key`; the
    /// caller sets name, file and hash.
    /// @throws Error{BadInput}, Error{NotEnoughMemory}, Cancelled
    EmbeddingParts (*read)(const InputFile& input, const std::string& key, const JobContext& job);

    /// Keys of the arrays that could be the embeddings when the conventions do not decide; else empty. Null for formats
    /// without keys.
    /// @throws Error{BadInput}, Error{NotEnoughMemory}, Cancelled
    std::vector<std::string> (*choices)(const InputFile& input, const JobContext& job) = nullptr;

    /// Reads only the pictures, see readPictureParts(). Null for formats without pictures.
    PictureParts (*pictures)(const InputFile& input, const std::string& key, PictureOrder order,
                             const JobContext& job) = nullptr;

    /// Whether the files hold pictures without embeddings: `read` then computes the built-in embedding, which takes
    /// time.
    bool onlyPictures = false;

    /// Whether a key says what one sample is (a clip or a frame), and not which array is taken.
    bool keysAreUnits = false;
};

/// All formats, in the order in which they are tried.
std::span<const Format> formatTable();

/// The first format that recognises the content.
/// @throws Error{BadInput} as refuseUnknown() when no format recognises it
const Format& formatOf(const InputFile& input);

/// File endings of the formats whose arrays have keys, in the order of the table: ".npz". Their patterns are endings.
std::vector<std::string_view> endingsWithKeys();

/// Throws Error{BadInput}, one short sentence: the file, where the formats are listed, and lookOf() the file.
[[noreturn]] void refuseUnknown(const InputFile& input);

} // namespace assay

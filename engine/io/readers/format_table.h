#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/input_file.h"
#include "engine/io/readers/picture_parts.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// One kind of file that embeddings come in. A new format is one file with these two functions and one row of the
/// table.
struct Format {
    std::string_view name;        ///< short: "npz"
    std::string_view description; ///< for people, as in "expected ...": "a NumPy archive (.npz)"
    std::string_view patterns;    ///< file names for dialogs, separated by spaces: "*.npz"; empty for "a folder ..."

    /// Decides by the content (`head()`, `size()`, `isDirectory()`), not by the name. Cheap; never throws.
    bool (*recognises)(const InputFile& input);

    /// Reads the set. `key` is the array that the user asked for, empty for none. The caller adds name, file and
    /// hash; the reader sets `source.key`.
    /// @throws Error{BadInput}, Error{NotEnoughMemory}, Cancelled
    EmbeddingParts (*read)(const InputFile& input, const std::string& key, const JobContext& job);

    /// The keys of the arrays that could be the embeddings where the file leaves that open, else none. Null for formats
    /// without keys. @throws as read
    std::vector<std::string> (*choices)(const InputFile& input, const JobContext& job) = nullptr;

    /// The pictures alone, see readPictureParts. Null for formats without any.
    PictureParts (*pictures)(const InputFile& input, const std::string& key, PictureOrder order,
                             const JobContext& job) = nullptr;

    bool onlyPictures = false; ///< `read` embeds them itself, which takes time
};

/// Every format, in the order in which they are tried.
std::span<const Format> formatTable();

/// The first format that recognises the content.
/// @throws Error{BadInput} naming what was found when there is none
const Format& formatOf(const InputFile& input);

} // namespace assay

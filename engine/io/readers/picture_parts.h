#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/picture_files.h"

#include <memory>
#include <string>
#include <vector>

namespace assay {

/// Pictures read on their own, for display beside embeddings from another file.
struct PictureParts {
    std::shared_ptr<const ImageStore> images; ///< at least one
    std::vector<std::string> ids;             ///< one per picture, or empty
    ClassLabels labels;                       ///< one per picture, or empty
    std::vector<std::string> notes;           ///< for the user, one sentence each: what was left out
};

/// Reads the pictures of a file or folder; the content decides the format. Pictures of a folder are only listed and are
/// decoded on demand.
/// @param spec `FILE`, `FILE.npz:KEY` or a folder
/// @param order order of a folder's pictures
/// @throws Error{BadInput} naming the file, what was expected and what was found; Error{NotEnoughMemory}; Cancelled
PictureParts readPictureParts(const std::string& spec, PictureOrder order, const JobContext& job);

} // namespace assay

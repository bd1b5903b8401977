#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/picture_files.h"

#include <memory>
#include <string>
#include <vector>

namespace assay {

/// Pictures by themselves, to be shown beside embeddings from elsewhere.
struct PictureParts {
    std::shared_ptr<const ImageStore> images; ///< at least one
    std::vector<std::string> ids;             ///< one each, or none
    ClassLabels labels;                       ///< likewise
    std::vector<std::string> notes;           ///< what was left out, one sentence each
};

/// Reads the pictures of a file or folder, whatever format its content shows it to be. Those of a folder are listed,
/// and decoded when they are looked at.
/// @param spec `FILE`, `FILE.npz:KEY` or a folder @param order of a folder's
/// @throws Error{BadInput} naming the file, what was expected and found; Error{NotEnoughMemory}; Cancelled
PictureParts readPictureParts(const std::string& spec, PictureOrder order, const JobContext& job);

} // namespace assay

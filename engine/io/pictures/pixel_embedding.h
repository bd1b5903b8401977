#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/decode_picture.h"
#include "engine/io/preparation/built_in.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay {

/// The built-in embedding, for pictures without embeddings: mean red, green and blue of a grid of 16 x 16 equal cells.
/// @return kPixelEmbeddingDim values in [0, 1]
std::vector<float> pixelEmbedding(const RgbPicture& picture);

/// Builds a set from pictures alone: their built-in embedding, and the pictures themselves.
/// @param file for messages
/// @throws Error{BadInput} when there are no pictures, more than 2^22, or one cannot be read; Cancelled
EmbeddingParts embedPictures(std::shared_ptr<const ImageStore> images, const std::string& file, const JobContext& job);

} // namespace assay

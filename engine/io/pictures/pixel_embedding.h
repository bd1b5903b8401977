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

/// Mean colours of a grid of `height` x `width` equal cells over a picture. A pixel on the border of cells counts in
/// each cell by the share of its area there. A picture with fewer pixels than cells is enlarged.
/// @pre the picture has pixels; `width` and `height` are positive
/// @return height x width x 3 values (red, green, blue), row by row, each in [0, 255]
/// @throws std::bad_alloc only
std::vector<float> meanColors(const RgbPicture& picture, std::size_t width, std::size_t height);

/// The built-in embedding, for pictures without embeddings: mean red, green and blue of a grid of 16 x 16 equal cells.
/// @return kPixelEmbeddingDim values in [0, 1]
std::vector<float> pixelEmbedding(const RgbPicture& picture);

/// Builds a set from pictures alone: their built-in embedding, and the pictures themselves.
/// @param file for messages
/// @throws Error{BadInput} when there are no pictures, more than 2^22, or one cannot be read; Cancelled
EmbeddingParts embedPictures(std::shared_ptr<const ImageStore> images, const std::string& file, const JobContext& job);

} // namespace assay

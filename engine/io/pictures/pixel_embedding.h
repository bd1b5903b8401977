#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/io/pictures/decode_picture.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay {

/// Dimensions of the built-in embedding, `pixels-16x16`.
inline constexpr std::size_t kPixelEmbeddingDim = std::size_t{16} * 16 * 3;

/// The built-in embedding, for pictures that come without one: mean red, green and blue of 16 x 16 equal fields, each
/// in [0, 1].
std::vector<float> pixelEmbedding(const RgbPicture& picture);

/// Makes a set of pictures that are all there is of it: their built-in embedding and the pictures.
/// @param file for messages
/// @throws Error{BadInput} when there are none, more than 2^22, or one cannot be read; Cancelled
EmbeddingParts embedPictures(std::shared_ptr<const ImageStore> images, const std::string& file, const JobContext& job);

} // namespace assay

#pragma once

#include "engine/io/pictures/picture_files.h"

#include <string>

namespace assay {

/// Encodes a picture as a JPEG file. An alpha channel is ignored. Equal pixels always produce identical bytes.
/// @param quality 1 to 100
/// @throws Error{InvalidArgument} as pngBytes()
std::string jpegBytes(const PixelView& picture, int quality);

} // namespace assay

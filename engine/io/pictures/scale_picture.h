#pragma once

#include "engine/io/pictures/decode_picture.h"

#include <cstddef>
#include <vector>

namespace assay {

/// Mean colours of `height` x `width` equal fields of a picture, row by row, red, green, blue, each in [0, 255]. A
/// pixel that lies in two fields counts in each with the share that lies there; a picture smaller than the fields is
/// spread.
/// @throws nothing but std::bad_alloc; the picture has pixels, and both numbers are positive
std::vector<float> meanColors(const RgbPicture& picture, std::size_t width, std::size_t height);

} // namespace assay

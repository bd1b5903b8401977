#pragma once

#include "engine/io/pictures/decode_picture.h"

#include <cstddef>
#include <vector>

namespace assay {

/// Mean colours of a grid of `height` x `width` equal cells over a picture. A pixel on the border of cells counts in
/// each cell by the share of its area there. A picture with fewer pixels than cells is enlarged.
/// @pre the picture has pixels; `width` and `height` are positive
/// @return height x width x 3 values (red, green, blue), row by row, each in [0, 255]
/// @throws std::bad_alloc only
std::vector<float> meanColors(const RgbPicture& picture, std::size_t width, std::size_t height);

} // namespace assay

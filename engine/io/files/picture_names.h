#pragma once

#include <string_view>

namespace assay {

/// Whether the name has a picture's ending: .png, .jpg, .jpeg, .webp, .bmp, .gif, .tif or .tiff, in upper or lower
/// case.
bool isNamedPicture(std::string_view name);

} // namespace assay

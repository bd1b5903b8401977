#pragma once

#include <string_view>

namespace assay {

/// Whether a file of this name is taken for a picture: .png, .jpg, .jpeg, .webp or .bmp in any case.
bool isNamedPicture(std::string_view name);

} // namespace assay

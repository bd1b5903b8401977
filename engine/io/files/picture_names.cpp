#include "engine/io/files/picture_names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace assay {

bool isNamedPicture(std::string_view name) {
    constexpr std::array<std::string_view, 8> endings{".png", ".jpg", ".jpeg", ".webp",
                                                      ".bmp", ".gif", ".tif",  ".tiff"};
    return std::ranges::any_of(endings, [&](std::string_view ending) {
        return name.size() > ending.size() &&
               std::ranges::equal(name.substr(name.size() - ending.size()), ending,
                                  [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
    });
}

} // namespace assay

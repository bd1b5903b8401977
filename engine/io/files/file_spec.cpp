#include "engine/io/files/file_spec.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace assay {
namespace {

bool exists(const std::string& file) {
    std::error_code ignored;
    return !file.empty() && std::filesystem::exists(file, ignored);
}

} // namespace

FileSpec parseFileSpec(const std::string& text) {
    if (exists(text)) // a folder may end with a slash
        return {text.substr(0, std::max<std::size_t>(text.find_last_not_of('/') + 1, 1)), {}};
    for (std::size_t colon = text.rfind(':'); colon != std::string::npos && colon > 0;
         colon = text.rfind(':', colon - 1))
        if (exists(text.substr(0, colon)))
            return {text.substr(0, colon), text.substr(colon + 1)};
    for (const std::string_view suffix : {".npz", ".safetensors", ".pt", ".pth", ".h5", ".hdf5", ".mat"})
        if (const std::size_t at = text.rfind(std::string(suffix) + ':'); at != std::string::npos)
            return {text.substr(0, at + suffix.size()), text.substr(at + suffix.size() + 1)};
    return {text, {}};
}

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

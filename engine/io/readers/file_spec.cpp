#include "engine/io/readers/file_spec.h"

#include "engine/io/readers/format_table.h"

#include <algorithm>
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
    for (const std::string_view ending : endingsWithKeys())
        if (const std::size_t at = text.rfind(std::string(ending) + ':'); at != std::string::npos)
            return {text.substr(0, at + ending.size()), text.substr(at + ending.size() + 1)};
    return {text, {}};
}

} // namespace assay

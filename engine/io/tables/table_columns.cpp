#include "engine/io/tables/table_columns.h"

#include <algorithm>
#include <cctype>

namespace assay {

std::string lowerCase(std::string_view name) {
    const std::size_t first = name.find_first_not_of(' ');
    if (first == std::string_view::npos)
        return {};
    std::string result(name.substr(first, name.find_last_not_of(' ') - first + 1));
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

bool isIdColumn(std::string_view name, std::size_t column) {
    return name == "id" || name == "ids" || name == "filename" || name == "file" || name == "path" ||
           name == "image_path" || (column == 0 && name.empty());
}

bool isLabelColumn(std::string_view name) {
    return name == "label" || name == "class";
}

} // namespace assay

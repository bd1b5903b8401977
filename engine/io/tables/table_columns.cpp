#include "engine/io/tables/table_columns.h"

#include "engine/io/tables/table_numbers.h"

#include <algorithm>
#include <cctype>

namespace assay {

std::string lowerCase(std::string_view name) {
    std::string result(trimmed(name));
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

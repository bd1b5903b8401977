#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// Without the spaces around it, in small letters (ASCII).
std::string lowerCase(std::string_view name);

/// Whether a table's column of that name, in small letters, holds ids: id, ids, filename, file, path or image_path; or
/// the first one without a name, as tables with row names have it.
bool isIdColumn(std::string_view name, std::size_t column);

/// Whether it holds classes: label or class.
bool isLabelColumn(std::string_view name);

} // namespace assay

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// The name without surrounding spaces, in lower case (ASCII only).
std::string lowerCase(std::string_view name);

/// Whether a column holds ids, by its name: id, ids, filename, file, path or image_path. An unnamed first column counts
/// too, because programs write row names that way.
/// @param name in lower case
/// @param column index of the column, from 0
bool isIdColumn(std::string_view name, std::size_t column);

/// Whether a column holds classes, by its name: label or class. @param name in lower case
bool isLabelColumn(std::string_view name);

} // namespace assay

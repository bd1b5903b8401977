#pragma once

#include <optional>
#include <string_view>

namespace assay {

/// The text without surrounding blanks.
std::string_view trimmed(std::string_view text);

/// Parses a decimal number and rounds it to the nearest double. Infinite beyond the range of double.
/// @return empty when the text is not a number; "nan" is not a number here
std::optional<double> numberOf(std::string_view text);

/// The float32 nearest to the number in `text`. @param wide result of numberOf() for the text
float nearestFloat(std::string_view text, double wide);

/// Whether a field denotes a missing or non-finite value: empty, "nan", "na", "inf", ...
bool isMissing(std::string_view text);

} // namespace assay

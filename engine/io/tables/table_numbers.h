#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// The text without surrounding blanks.
std::string_view trimmed(std::string_view text);

/// Parses a decimal number and rounds it to the nearest double. Infinite beyond the range of double.
/// @return empty when the text is not a number; "nan" is not a number here
std::optional<double> numberOf(std::string_view text);

/// The float32 nearest to the number in `text`. @param wide result of numberOf() for the text
float nearestFloat(std::string_view text, double wide);

/// 1 for "true", 0 for "false", in upper or lower case; empty for other texts.
std::optional<double> truthOf(std::string_view text);

/// Whether a field denotes a missing value: empty, "nan", "na", "n/a", "null", "none", ...
bool isAbsent(std::string_view text);

/// Whether a field denotes a missing or an infinite value.
bool isMissing(std::string_view text);

/// Infinity with its sign for "inf", "-Infinity", ...; empty for other texts.
std::optional<float> infinityOf(std::string_view text);

/// Whether digits are grouped by commas, such as "1,234" or "12,345.6".
bool isGrouped(std::string_view text);

/// What to do about a field that people read as a number and this program does not: a percentage, or digits grouped by
/// separators. Empty for other texts.
/// @param text as in the file
std::string numberAdvice(std::string_view text);

} // namespace assay

#pragma once

#include <optional>
#include <string_view>

namespace assay {

/// Without blanks around it.
std::string_view trimmed(std::string_view text);

/// A decimal number as the nearest double. @return nothing where the text is none, not even "nan"; infinite beyond
/// the range of double
std::optional<double> numberOf(std::string_view text);

/// The float32 nearest to the text of a number, which numberOf() has read as `wide`.
float nearestFloat(std::string_view text, double wide);

/// Whether a field stands for a value that is missing or not finite: nothing, "nan", "na", "inf", ...
bool isMissing(std::string_view text);

} // namespace assay

#pragma once

#include <string_view>

namespace assay {

/// The way out that messages about columns too many end with. The window names its own choice in its place.
inline constexpr std::string_view kIgnoreAdvice = "--ignore-columns NAME leaves a column out of every set that has it";

/// The same for columns of text.
inline constexpr std::string_view kTextAdvice = "--one-hot takes text as categories, --ignore-columns NAME leaves the "
                                                "column out";

} // namespace assay

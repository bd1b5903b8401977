#pragma once

#include <string_view>

namespace assay {

/// The way out that messages about values that are not finite end with. The window names its own choice in its place.
inline constexpr std::string_view kNotFiniteAdvice =
    "--missing drop leaves such rows out, --missing indicate fills in missing values, not infinite ones";

} // namespace assay

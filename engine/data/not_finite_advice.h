#pragma once

#include <string_view>

namespace assay {

/// The way out that messages about values that are not finite end with. The window names its own switch in its place.
inline constexpr std::string_view kNotFiniteAdvice = "--drop-nan leaves such rows out";

} // namespace assay

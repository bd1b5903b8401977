#pragma once

#include <limits>

namespace assay {

/// What a score is where there is none.
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

} // namespace assay

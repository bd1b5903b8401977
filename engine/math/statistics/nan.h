#pragma once

#include <limits>

namespace assay {

/// Value of a score that is undefined.
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

} // namespace assay

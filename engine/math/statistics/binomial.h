#pragma once

#include "engine/math/statistics/bootstrap.h"

#include <cstddef>

namespace assay {

/// Exact confidence interval of a share (Clopper and Pearson 1934): at least `level` of all such intervals contain the
/// true share.
/// @param successes at most `trials`
/// @param trials at least 1
/// @return bounds in [0, 1]
Bounds clopperPearson(std::size_t successes, std::size_t trials, double level = 0.95);

/// Probability of at least `successes` among `trials` whose chance is `chance`, in [0, 1]. Between whole numbers it is
/// interpolated by the incomplete beta function, which it equals.
/// @param successes in [0, trials]
/// @param chance in (0, 1)
double atLeastSuccesses(double successes, double trials, double chance);

/// Two-sided p-value for the equality of the shares first / ofFirst and second / ofSecond: the pooled z-test that
/// Richardson and Weiss, NeurIPS 2018, use to compare bins. It is 1 if both shares are 0 or both are 1.
/// @return in [0, 1]
double twoSharesPValue(std::size_t first, std::size_t ofFirst, std::size_t second, std::size_t ofSecond);

} // namespace assay

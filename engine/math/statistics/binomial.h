#pragma once

#include "engine/math/statistics/bootstrap.h"

#include <cstddef>

namespace assay {

/// Exact interval of a share (Clopper and Pearson 1934): `level` of all such intervals hold the true one, at least.
/// @param successes at most `trials`
Bounds exactShare(std::size_t successes, std::size_t trials, double level = 0.95);

/// Two-sided p-value of two shares being the same: the pooled z-test, as Richardson and Weiss, NeurIPS 2018, compare
/// bins. 1 where neither has a success or both have only such.
double twoSharesPValue(std::size_t first, std::size_t ofFirst, std::size_t second, std::size_t ofSecond);

} // namespace assay

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// Tail scores of a statistic: -log of the chance that a good sample has at least such a value. The chance is the rank
/// among the calibration values up to their 90 % quantile u, and 0.1 exp(-(v - u) / mean excess over u) beyond; only
/// the rank where fewer than five values exceed u. Scores of several statistics can be compared, however heavy the tail
/// of each: what is compared with them is ranked again.
/// @param calibration at least one value, finite
/// @return one score per value, at least 0; more extreme values have larger scores
std::vector<double> tailScores(std::span<const double> values, std::vector<double> calibration);

/// Tail scores of the calibration values, each with itself left out of the calibration.
std::vector<double> tailScoresLeftOut(std::span<const double> calibration);

} // namespace assay

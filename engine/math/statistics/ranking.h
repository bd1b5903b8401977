#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Area under the ROC curve: P(positive > negative) + P(=) / 2 over all pairs. NaN if a side is empty. O(n log n).
/// @param scores without NaN @param isPositive one per score, 0 or 1
double areaUnderCurve(std::span<const double> scores, std::span<const std::uint8_t> isPositive);

/// Per score the share of the scores of the other kind that it is on the right side of (above, for a positive), ties
/// counting one half. The area under the curve is the mean over the positives, and over the negatives.
/// @return as many as scores; NaN where the other kind is empty
std::vector<double> placements(std::span<const double> scores, std::span<const std::uint8_t> isPositive);

} // namespace assay

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Per score the share of the scores of the other kind that it is on the right side of (above, for a positive), ties
/// counting one half. The area under the ROC curve is the mean over the positives, and over the negatives.
/// O(n log n).
/// @param scores without NaN @param isPositive one per score, 0 or 1
/// @return as many as scores; NaN where the other kind is empty
std::vector<double> placements(std::span<const double> scores, std::span<const std::uint8_t> isPositive);

} // namespace assay

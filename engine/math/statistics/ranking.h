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

/// Area under the ROC curve.
struct RocArea {
    double area = 0.5;     ///< in [0, 1]; 0.5 where either kind is empty
    double variance = 0.0; ///< of the area; 0 where either kind has fewer than two scores
};

/// Chance that a positive score is above a negative one, ties counting one half, and its variance by the placements.
/// O(n log n).
/// @param scores without NaN @param isPositive one per score, 0 or 1
/// Source: DeLong, DeLong and Clarke-Pearson, Biometrics 1988.
RocArea rocArea(std::span<const double> scores, std::span<const std::uint8_t> isPositive);

} // namespace assay

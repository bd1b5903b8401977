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

/// Area under the ROC curve, with the variance of its estimate if both samples are drawn anew.
struct RankedArea {
    double area = 0.5; ///< P(low < high) + P(low = high) / 2, in [0, 1]
    double variance = 0.0;
};

/// O(n log n). Source: DeLong, DeLong and Clarke-Pearson, Biometrics 1988.
/// @param low, high at least two values each, without NaN
RankedArea areaUnderCurve(std::span<const double> low, std::span<const double> high);

} // namespace assay

#pragma once

#include "engine/math/statistics/bootstrap.h"

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// A coefficient of correlation, in [-1, 1]; NaN where one side is constant or has fewer than two values.
struct Correlation {
    double value = 0.0;
    /// 95 % interval by Fisher's transformation, whose variance is 1 / (n - 3) for Pearson's coefficient, 1.06 / (n -
    /// 3) for Spearman's and 0.437 / (n - 4) for Kendall's (Fieller, Hartley and Pearson, Biometrika 1957). None for
    /// fewer than five pairs.
    std::optional<Bounds> interval{};
};

/// Pearson's coefficient of linear correlation. @param x, y as many values, none of them NaN
Correlation pearson(std::span<const double> x, std::span<const double> y);
/// Spearman's: Pearson's of the ranks, ties with their mean rank.
Correlation spearman(std::span<const double> x, std::span<const double> y);
/// Kendall's tau-b, which corrects for ties on either side. O(n^2).
Correlation kendall(std::span<const double> x, std::span<const double> y);

} // namespace assay

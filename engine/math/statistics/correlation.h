#pragma once

#include "engine/math/statistics/bootstrap.h"

#include <optional>
#include <span>

namespace assay {

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

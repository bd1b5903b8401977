#pragma once

#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/tables/metric.h"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

/// One value per sample of a side; an aggregate averages them.
struct Term {
    Side side;
    ColumnFunction values; ///< returns N or M values; a column's own function, if the catalogue has a column of these
};

/// Combines the terms' resampled means (in order) into the raw statistic.
using Combine = std::function<double(std::span<const double> means)>;
/// An increasing function from the raw statistic to the aggregate.
using Finish = std::function<double(double)>;

/// Describes how the interval of an aggregate is found (engine/audit/result/intervals.h). Aggregates of the neighbour
/// tables are jackknifed (jackknife.h). The others, and those where the lists do not suffice for it, are functions of
/// averages. Every mean is resampled over the rows of its own side; terms of one side share the resampled rows.
struct Average {
    std::array<const Term*, 2> terms{}; ///< one or two terms; the second is null if there is one
    /// Makes the function that combines the means into the raw statistic; null: the raw statistic is the mean of the
    /// only term.
    Combine (*combine)(const MetricInputs&) = nullptr;
    /// Makes the final function; null: the raw statistic is the aggregate.
    Finish (*finish)(const MetricInputs&) = nullptr;
    /// Resampled values of an aggregate that is no function of such means, or whose terms belong to the held-out set;
    /// null: from the fields above.
    std::vector<double> (*own)(const MetricInputs&, const Resampling&) = nullptr;
    /// The metric that is the raw statistic of `finish`.
    std::string_view raw{};
    /// Bounds of the raw statistic, as if its rows were independent, where it is so near to an end of its range that
    /// leaving rows out shows next to nothing; else nothing. The interval contains them. Null: never.
    std::optional<Bounds> (*exact)(const MetricInputs&) = nullptr;
    /// The aggregate from tables without some rows, if Metric::compute needs counts that they lack; null: that.
    double (*replicate)(const MetricInputs&) = nullptr;
};

template <Side side, ColumnFunction values>
inline constexpr Term kTerm{side, values};

/// Exact bounds of a share where nearly all rows have the same value, 0 or 1; else nothing.
std::optional<Bounds> exactShareBounds(std::span<const double> flags);

/// The average of an aggregate that is the mean of these values.
template <Side side, ColumnFunction values>
inline constexpr Average kMeanOf{.terms = {&kTerm<side, values>},
                                 .exact = [](const MetricInputs& in) { return exactShareBounds(values(in)); }};

/// Averages of the other aggregates in the catalogue.
namespace averages {
extern const Average kClippedDensity, kClippedDensityUnclipped, kClippedDensityReal;
extern const Average kClippedCoverage, kClippedCoverageUnnormalized, kDensityClippedRadii;
extern const Average kMembershipAuc, kMembershipTpr, kUtilityAccuracy, kUtilityAuc, kUtilityR2;
extern const Average kRealUtilityAccuracy, kRealUtilityAuc, kRealUtilityR2;
extern const Average kPce, kRce, kRe, kRealEntropy, kDensity, kSymPrecision, kSymRecall, kRarity, kEstimatedBad,
    kBadShare;
} // namespace averages

} // namespace assay

#pragma once

#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/resampling/half_shifts.h"
#include "engine/metrics/tables/metric.h"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace assay {

/// One value per sample of a side; an aggregate averages them.
struct Term {
    Side side;
    ColumnFunction values; ///< returns N or M values; a column's own function, if the catalogue has a column of these
};

/// Combines the terms' resampled means (in order) and one half-split shift (0 where there is none) into the raw
/// statistic.
using Combine = std::function<double(std::span<const double> means, double shift)>;
/// An increasing function from the raw statistic to the aggregate.
using Finish = std::function<double(double)>;

/// Describes an aggregate as a function of averages, so that its interval can be found by resampling
/// (engine/audit/result/intervals.h). Every mean is resampled over the rows of its own side; terms of one side share
/// the resampled rows.
struct Average {
    std::array<const Term*, 2> terms{}; ///< one or two terms; the second is null if there is one
    /// Makes the function that combines the means into the raw statistic; null: the raw statistic is the mean of the
    /// only term.
    /// @param shifted whether half-split shifts are available
    Combine (*combine)(const MetricInputs&, bool shifted) = nullptr;
    /// Half-split shifts of the raw statistic, for uncertainty that resampling the rows of a side does not show; null:
    /// no shifts.
    std::vector<double> HalfShifts::*shift = nullptr;
    /// Makes the final function; null: the raw statistic is the aggregate.
    Finish (*finish)(const MetricInputs&) = nullptr;
    /// Resampled values of an aggregate that is no function of such means, or whose terms belong to the held-out set;
    /// null: from the fields above.
    std::vector<double> (*own)(const MetricInputs&, const Resampling&) = nullptr;
};

template <Side side, ColumnFunction values>
inline constexpr Term kTerm{side, values};

/// The average of an aggregate that is the mean of these values.
template <Side side, ColumnFunction values>
inline constexpr Average kMeanOf{{&kTerm<side, values>}};

/// Averages of the other aggregates in the catalogue.
namespace averages {
extern const Average kClippedDensity, kClippedDensityUnclipped, kClippedDensityReal;
extern const Average kClippedCoverage, kClippedCoverageUnnormalized, kDensityClippedRadii;
extern const Average kMembershipAuc, kMembershipTpr, kUtilityAccuracy, kUtilityAuc, kUtilityR2;
extern const Average kRealUtilityAccuracy, kRealUtilityAuc, kRealUtilityR2;
extern const Average kPce, kRce, kRe, kRealEntropy, kDensity, kSymPrecision, kSymRecall, kRarity, kEstimatedBad, kBadShare;
} // namespace averages

} // namespace assay

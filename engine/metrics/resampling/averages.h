#pragma once

#include "engine/metrics/resampling/half_shifts.h"
#include "engine/metrics/tables/metric.h"

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

/// One value per sample of a side, for an aggregate to average. Named by a column where there is one, so that nothing
/// is computed twice.
struct Term {
    Side side;
    std::string_view column;                                      ///< of the catalogue; empty: `values` says
    std::vector<double> (*values)(const MetricInputs&) = nullptr; ///< N or M values
};

/// Combines the terms' resampled means (in order) and one half-split shift (0 where there is none) into the raw
/// statistic.
using Combine = std::function<double(std::span<const double> means, double shift)>;
/// A rising function from the raw statistic to the aggregate.
using Finish = std::function<double(double)>;

/// How an aggregate is an average: what an interval of it is found from (engine/audit/result/intervals.h). Every mean
/// is resampled over its own side's rows; terms of one side are resampled together.
struct Average {
    std::array<const Term*, 2> terms{}; ///< the second null where there is one
    /// Null: the only term's mean itself. @param shifted whether there are shifts
    Combine (*combine)(const MetricInputs&, bool shifted) = nullptr;
    /// How far it moves with the sampling of a side where resampling that side's rows cannot tell; null: not at all.
    std::vector<double> HalfShifts::*shift = nullptr;
    Finish (*finish)(const MetricInputs&) = nullptr; ///< null: the figure is the aggregate
};

/// The averages behind the catalogue's rows.
namespace averages {
extern const Average kClippedDensity, kClippedDensityUnclipped, kClippedDensityUnnormalized, kClippedDensityReal;
extern const Average kClippedCoverage, kClippedCoverageUnnormalized;
extern const Average kDensityClippedRadii, kOverOccurring, kOverOccurringClippedRadii;
extern const Average kAuthenticity, kPce, kRce, kRe, kRealEntropy;
extern const Average kPrecision, kRecall, kDensity, kCoverage, kSymPrecision, kSymRecall;
extern const Average kPPrecision, kPRecall, kPrecisionCover, kRecallCover, kRarity, kRarityOutside;
extern const Average kVerdictRejected, kVerdictUnrealistic, kVerdictOverRepresented, kVerdictCopy, kEstimatedBad;
extern const Average kCoverageMissed;
} // namespace averages

} // namespace assay

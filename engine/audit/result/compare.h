#pragma once

#include "engine/audit/result/audit_result.h"

#include <string_view>
#include <vector>

namespace assay {

/// Difference of one metric between two models, with its 95 % interval.
struct MetricDifference {
    std::string_view id;
    double difference = 0.0; ///< first minus second
    double low = 0.0;
    double high = 0.0;

    /// Whether the two models differ significantly in this metric; false if a bound is NaN.
    bool excludesZero() const noexcept { return low > 0.0 || high < 0.0; }
};

/// Differences of all metrics for which both models have resamples. The real set is equal for both models and its
/// resamples are paired, so uncertainty that moves both models alike cancels. The interval is that of the difference,
/// not the overlap of two intervals.
/// @param first, second models of one audit
std::vector<MetricDifference> compareModels(const ModelAudit& first, const ModelAudit& second);

/// Comparison of two models of an audit, given by their indices.
struct ModelComparison {
    std::size_t first = 0;
    std::size_t second = 0;
    std::vector<MetricDifference> metrics;
};

/// All pairs of models, in the order of the audit.
std::vector<ModelComparison> compareAll(const AuditResult& audit);

} // namespace assay

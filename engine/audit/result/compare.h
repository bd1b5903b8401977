#pragma once

#include "engine/audit/result/audit_result.h"

#include <string_view>
#include <vector>

namespace assay {

/// How much a metric of one model is above that of another, with the 95 % interval of that.
struct MetricDifference {
    std::string_view id;
    double difference = 0.0; ///< first less second
    double low = 0.0;
    double high = 0.0;

    /// Whether the data tell the two apart. Not so when any of the numbers is NaN.
    bool excludesZero() const noexcept { return low > 0.0 || high < 0.0; }
};

/// Every metric that both models have an interval of. The real set is the same for both and its part of the
/// uncertainty is drawn alike, so it cancels where it moves both alike: the interval is that of the difference, not the
/// overlap of two intervals.
/// @param first, second of one audit
std::vector<MetricDifference> compareModels(const ModelAudit& first, const ModelAudit& second);

/// The comparison of two models of an audit, by their indices.
struct ModelComparison {
    std::size_t first = 0;
    std::size_t second = 0;
    std::vector<MetricDifference> metrics;
};

/// All pairs of models, in the order of the audit.
std::vector<ModelComparison> compareAll(const AuditResult& audit);

} // namespace assay

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

/// Differences of all metrics for which both models have intervals. The interval is that of the difference, not the
/// overlap of two intervals. The real set is equal for both models, so uncertainty that moves both alike cancels:
/// resamples are paired, as are the groups of real rows that a jackknife leaves out. Where the models have values of
/// different kinds (one read from the file of an earlier version) or none (Average::exact), the interval comes from the
/// two intervals without pairing. A set compared with itself differs by 0 in [0, 0].
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

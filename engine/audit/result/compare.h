#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/math/statistics/histogram.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
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

/// Which of two models cover a real sample.
enum class CoveredBy : std::uint8_t { Both, OnlyFirst, OnlySecond, Neither };
constexpr std::size_t kCoverageGroups = 4;

/// The real samples that two models cover alike.
struct CoverageGroup {
    std::vector<std::uint32_t> rows; ///< of the real set, ascending
    /// Up to kGroupExamples of them, those in the densest places first; none is among the stored nearest neighbours of
    /// one before.
    std::vector<std::uint32_t> examples;
};

/// Largest number of examples of a group.
constexpr std::size_t kGroupExamples = 8;

/// The values of one synthetic column in two models, in common bins.
struct ContrastedColumn {
    HistogramBins bins;
    std::vector<double> first;  ///< per bin: share of the first model's samples that have a value, in [0, 1]
    std::vector<double> second; ///< the same of the second model
};

/// Two models of an audit, sample by sample. A plain value.
struct ModelContrast {
    std::shared_ptr<const ModelAudit> first;
    std::shared_ptr<const ModelAudit> second;
    std::array<CoverageGroup, kCoverageGroups> groups{}; ///< by CoveredBy
    ContrastedColumn fidelity{};                         ///< no bins where a model has no such column
    std::vector<MetricDifference> differences{};         ///< compareModels(first, second)

    const CoverageGroup& group(CoveredBy one) const { return groups[static_cast<std::size_t>(one)]; }
};

/// Contrasts two models. A real sample is covered by a model if its ball holds a synthetic sample of it, as in the
/// metric "coverage" (Naeem et al. 2020): the groups Both and OnlyFirst together are the first model's coverage.
/// @param first, second indices into audit.models
/// @throws Cancelled
ModelContrast contrastModels(const AuditResult& audit, std::size_t first, std::size_t second,
                             const JobContext& job = {});

} // namespace assay

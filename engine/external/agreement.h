#pragma once

#include "engine/external/external_scores.h"
#include "engine/math/statistics/rank_statistics.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;
struct Metric;

/// How a figure of every model goes together with an external one: a metric of the audit, or another external column.
struct Agreement {
    const Metric* metric = nullptr;     ///< null: `other` is set
    std::optional<std::size_t> other{}; ///< index into ExternalScores::columns
    std::size_t column = 0;             ///< index into ExternalScores::columns: what it is compared with
    std::vector<std::size_t> models{};  ///< indices into AuditResult::models: those that have both figures
    std::vector<double> values{};       ///< one per entry of `models`
    std::vector<double> external{};     ///< one per entry of `models`
    Correlation pearson{};
    Correlation spearman{};
    Correlation kendall{};
};

/// Least number of models with both figures: two points are always on a line.
constexpr std::size_t kMinAgreeing = 3;

/// Every metric, in catalogue order, and then every other external column, against every external column, column by
/// column. Left out are those with fewer than kMinAgreeing models, and those that are equal in all of them.
std::vector<Agreement> agreements(const AuditResult& audit, const ExternalScores& scores);

/// Displayed name of what an agreement compares: "Clipped density", "FID".
std::string subjectOf(const Agreement& agreement, const ExternalScores& scores);

/// Agreement of a column in one or two sentences: "Clipped density follows human_error best: Spearman -0.93 (-0.98 to
/// -0.77), 13 models. 3 other metrics lie within that interval."
std::string agreementSentence(const std::vector<Agreement>& agreements, const ExternalScores& scores,
                              std::size_t column);

} // namespace assay

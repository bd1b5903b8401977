#pragma once

#include "engine/metrics/tables/metric.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class EmbeddingSet;
struct AuditResult;
struct ExternalScores;
struct ModelAudit;

/// `nearest_classes` of a model as JSON text (docs/output.md): for each class of its samples the classes of their
/// nearest real samples; "null" where one of the sets has no classes.
std::string nearestClassesAsJson(const AuditResult& audit, const ModelAudit& model);

/// Differences in features, pairs of features, categories and missing values as the JSON text of one object: members of
/// `diagnostics` (docs/output.md). Values are in the unit of the file. An empty object for a quick audit.
std::string featuresAsJson(const EmbeddingSet& real, const ModelAudit& model);

/// `useful` and `private` of a model as the JSON text of one object (docs/output.md).
std::string usefulAsJson(const AuditResult& audit, const ModelAudit& model);

/// Adds figures of models from elsewhere to the JSON text of an audit (scoresAsJson): `external`, with every metric's
/// coefficients of correlation (docs/output.md).
std::string withExternalAsJson(const std::string& json, const AuditResult& audit, const ExternalScores& scores);

/// The external columns of samples as a JSON list: where each comes from, how many samples of which set have a value,
/// and the mean, lowest and highest one (docs/output.md).
std::string externalColumnsAsJson(const AuditResult& audit);

/// One paragraph per column for a terminal: agreementSentence().
std::string externalAsText(const AuditResult& audit, const ExternalScores& scores);

/// Quantiles of one column over the held-out samples.
struct HeldOutQuantiles {
    static constexpr std::array<double, 11> kShares{0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0};

    std::string_view column;
    /// One per share, linearly interpolated; NaN if the column has only NaN.
    std::array<double, kShares.size()> values{};
    std::size_t missing = 0; ///< number of NaN scores
};

/// Quantiles of every per-sample column of the synthetic side, except columns of row indices. Empty without a held-out
/// set.
std::vector<HeldOutQuantiles> heldOutQuantiles(const AuditResult& audit);

} // namespace assay

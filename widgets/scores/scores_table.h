#pragma once

#include "engine/audit/result/audit_result.h"
#include "widgets/tables/table_content.h"

#include <memory>
#include <optional>
#include <vector>

namespace assay {

/// Which models are compared in the table of all scores.
struct ScoresOf {
    std::shared_ptr<const AuditResult> audit;
    std::size_t current = 0;
    std::optional<std::size_t> other{}; ///< what the current model is compared with
};

/// Every aggregate of every model: a metric a row, in the catalogue's order, a model a column. Metrics that no model
/// has are left out. Where the current model is compared with another, a last column has their differences: bold, with
/// a word, where the two differ significantly, faint where not.
///
/// The best value of a row is bold, with a dot, which is hollow where the model is suspicious. Rows are copied in full
/// precision, as spreadsheets read them.
TableContent scoresTable(const ScoresOf& scores);

/// Metrics of the catalogue that some model has, and those that none has; none without models.
std::vector<const Metric*> presentMetrics(const AuditResult* audit);
std::vector<const Metric*> absentMetrics(const AuditResult* audit);

} // namespace assay

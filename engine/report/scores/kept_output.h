#pragma once

#include "engine/subsets/rules/filter.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <span>
#include <string>

namespace assay {

/// Adds the results of the rules to the JSON text of an audit (scoresAsJson): `rules`, `match`, and `kept` for each
/// model (docs/output.md).
/// @param kept one per model
std::string withKeptAsJson(const std::string& json, const FilterRules& rules, std::span<const KeptAudit> kept);

/// A plain table for a terminal: scores of each model's kept samples, of all its samples, and of as many random
/// samples.
std::string keptAsTable(const AuditResult& audit, const FilterRules& rules, std::span<const KeptAudit> kept);

} // namespace assay

#pragma once

#include "engine/subsets/rules/filter.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <span>
#include <string>

namespace assay {

/// The JSON text of an audit (scoresAsJson) with what the rules keep of each model: `rules`, `match`, and per model
/// `kept` (docs/output.md).
/// @param kept one per model
std::string withKeptAsJson(const std::string& json, const FilterRules& rules, std::span<const KeptAudit> kept);

/// What the rules keep of each model, beside all of its samples and as many at random, as a plain table for a terminal.
std::string keptAsTable(const AuditResult& audit, const FilterRules& rules, std::span<const KeptAudit> kept);

} // namespace assay

#pragma once

#include "engine/audit/filter.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

struct AuditResult;

/// What good samples score in a column of the synthetic side: the held-out set where there is one, else the real set,
/// each sample left out of its own neighbours. One value per sample, in the order of the set.
/// @return nothing where that is not known
std::optional<std::vector<double>> goodSampleValues(const AuditResult& audit, std::size_t model,
                                                    std::string_view column);

/// Share of good samples that the rules reject: what they wrongly take. Nothing where a rule's column is not known for
/// them.
/// @throws Error{InvalidArgument} as applyRules
std::optional<double> falseAlarmRate(const AuditResult& audit, std::size_t model, std::span<const FilterRule> rules);

} // namespace assay

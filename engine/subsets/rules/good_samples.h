#pragma once

#include "engine/subsets/rules/filter.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace assay {

struct AuditResult;

/// What good samples score in a column of the synthetic side: the held-out set where there is one, else the real set,
/// each sample left out of its own neighbours. One value per sample, in the order of the set.
/// @return nothing where that is not known
std::optional<std::vector<double>> goodSampleValues(const AuditResult& audit, std::size_t model,
                                                    std::string_view column);

/// Share of good samples that the rules reject: what they wrongly take. Nothing where what a rule looks at is not known
/// for them. A rule on the highest or lowest values takes of them what lies beyond the last value that it takes.
/// @throws Error{InvalidArgument} as requireRules
std::optional<double> falseAlarmRate(const AuditResult& audit, std::size_t model, const FilterRules& rules);

} // namespace assay

#pragma once

#include "engine/subsets/rules/filter.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace assay {

struct AuditResult;

/// Scores of good samples in a column of the synthetic side. Good samples are the held-out set if there is one, else
/// the real set, each sample left out of its own neighbours. One value per sample, in the order of the set.
/// @param model index into audit.models
/// @return empty if these scores are not known for the column
std::optional<std::vector<double>> goodSampleValues(const AuditResult& audit, std::size_t model,
                                                    std::string_view column);

/// Share of good samples that the rules reject wrongly. Empty if a rule uses values that are not known for good
/// samples. A rule on the highest or lowest values rejects the good samples beyond the last value that it matches in
/// the model.
/// @param model index into audit.models
/// @return in [0, 1]
/// @throws Error{InvalidArgument} as requireRules()
std::optional<double> falseAlarmRate(const AuditResult& audit, std::size_t model, const FilterRules& rules);

} // namespace assay

#pragma once

#include "engine/subsets/rules/filter.h"

#include <string>

namespace assay {

/// Converts rules to JSON text (docs/rules.md) and back:
/// {"match":"all","rules":[{"column":"fidelity","bound":"at_least","value":0.5}]}. A plain array of rules is read with
/// RuleMatch::All.
/// @throws Error{BadInput} naming the invalid entry
std::string rulesToJson(const FilterRules& rules);
FilterRules rulesFromJson(const std::string& json);

/// Reads rules from a file.
/// @throws Error{BadInput} naming the file and the entry
FilterRules readRules(const std::string& file);

} // namespace assay

#pragma once

#include "engine/subsets/rules/filter.h"

#include <string>

namespace assay {

/// Rules as JSON text (docs/rules.md), and back:
/// {"match":"all","rules":[{"column":"fidelity","bound":"at_least","value":0.5}]}
/// A plain array of rules is read as rules that all have to be passed.
/// @throws Error{BadInput} naming the entry that is wrong
std::string rulesToJson(const FilterRules& rules);
FilterRules rulesFromJson(const std::string& json);

/// Rules from a file. @throws Error{BadInput} naming the file and the entry
FilterRules readRules(const std::string& file);

} // namespace assay

#pragma once

#include "engine/subsets/rules/filter.h"

#include <span>
#include <string_view>

namespace assay {

/// A predefined rule.
struct ReadyRule {
    std::string_view id;    ///< identifier on the command line
    std::string_view title; ///< displayed title, in English
    FilterRule rule;
};

/// All predefined rules; the most common one first.
std::span<const ReadyRule> readyRules();

/// The rule with this id, or null.
const ReadyRule* findReadyRule(std::string_view id);

} // namespace assay

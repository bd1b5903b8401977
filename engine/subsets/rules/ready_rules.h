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

/// The present word for a word of rules from before 0.3.0: `crowded` for `over_represented`; other words as they are.
constexpr std::string_view verdictWordOf(std::string_view word) noexcept {
    return word == "over_represented" ? "crowded" : word;
}

/// The rule with this id, or that it had before 0.3.0; or null.
const ReadyRule* findReadyRule(std::string_view id);

} // namespace assay

#pragma once

#include "engine/subsets/rules/filter.h"

#include <span>
#include <string_view>

namespace assay {

/// A rule that most people want, by name.
struct ReadyRule {
    std::string_view id;    ///< for the command line
    std::string_view title; ///< for people, in English
    FilterRule rule;
};

/// The usual one first.
std::span<const ReadyRule> readyRules();

/// Null for an unknown id.
const ReadyRule* findReadyRule(std::string_view id);

} // namespace assay

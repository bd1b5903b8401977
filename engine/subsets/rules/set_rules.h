#pragma once

#include "engine/audit/result/filter_rules.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct AuditResult;

/// A rule that rejects a set of samples found in the whole audit, where other rules compare values of a column. A row
/// of setRules() is all that such a rule needs: files of rules, the command line, reasons and Keep follow it.
struct SetRule {
    std::string_view id;      ///< FilterRule::column, and identifier on the command line
    std::string_view title;   ///< what it does, for menus: "Keep one of samples that are nearly the same"
    std::string_view caption; ///< the same in a few words, beside its check box
    std::string_view samples; ///< the samples it rejects, for reasons: "samples nearly the same as an earlier one"
    bool needsClasses;        ///< rejects nothing unless the real and the synthetic set have classes
    /// The rows that it rejects, ascending. @param model index into audit.models
    std::vector<std::uint32_t> (*rows)(const AuditResult& audit, std::size_t model);

    /// Its form in a list of rules.
    FilterRule rule() const { return {std::string(id), Bound::AtLeast, 1.0, 0.0, {}, Effect::Reject}; }
};

std::span<const SetRule> setRules();

/// The rule with this id, or null.
const SetRule* findSetRule(std::string_view id);

/// Rows that rules on sets reject in one model, by id.
using SetRuleRows = std::map<std::string, std::shared_ptr<const std::vector<std::uint32_t>>, std::less<>>;

/// Rows that these rules reject in a model. @param rules ids of setRules()
SetRuleRows rowsOfSets(const AuditResult& audit, std::size_t model, std::span<const std::string> rules);

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

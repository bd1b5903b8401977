#pragma once

#include "engine/audit/result/filter_rules.h"
#include "engine/subsets/rules/set_rules.h"
#include "engine/subsets/rules/tags.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace assay {

struct AuditResult;

/// A person's decisions about one model's synthetic samples: rules, and decisions by hand, which override the rules.
struct SampleFilter {
    FilterRules rules{};
    std::vector<std::uint32_t> rejectedByHand{}; ///< rows rejected by hand, ascending
    std::vector<std::uint32_t> accepted{};       ///< rows kept by hand, ascending
    std::shared_ptr<const SampleTags> tags{};    ///< null: none
    std::shared_ptr<const TagNames> tagNames{};  ///< null: no tag has a name
    std::shared_ptr<const SampleNotes> notes{};  ///< null: none
    SetRuleRows found{};                         ///< of the model; what is missing is computed when a rule needs it

    /// Whether the filter can reject samples.
    bool decides() const { return !rules.empty() || !rejectedByHand.empty(); }
};

/// Values that a rule on a column keeps: those in [low, high] for Effect::Keep, all others for Effect::Reject. NaN is
/// in no range.
struct RuleRange {
    double low;
    double high;
    Effect effect;

    bool contains(double value) const noexcept { return value >= low && value <= high; }
    bool keeps(double value) const noexcept { return contains(value) == (effect == Effect::Keep); }
};

/// The range of a rule on a column of the catalogue, given the values of the model's samples. For Highest and Lowest
/// one end is the last matched value; unmatched samples may have an equal value.
/// @throws Error{InvalidArgument} for a rule that is not on a column of the synthetic side
RuleRange rangeOf(const FilterRule& rule, std::span<const double> values);

/// Checks that rules can be applied to a model. @throws as AppliedFilter
void requireRules(const AuditResult& audit, std::size_t model, std::span<const FilterRule> rules);

/// A filter applied to one model's synthetic samples.
class AppliedFilter {
public:
    /// @param audit outlives this object
    /// @param model index into audit.models
    /// @throws Error{InvalidArgument} for a column that is unknown or not on the synthetic side, a bound or word that
    /// does not fit the column, or a row beyond the set
    AppliedFilter(const AuditResult& audit, std::size_t model, SampleFilter filter);

    /// One flag per synthetic row.
    const std::vector<bool>& kept() const& noexcept { return kept_; }
    std::vector<bool> kept() && noexcept { return std::move(kept_); }
    std::size_t keptCount() const noexcept { return keptCount_; }
    std::size_t rejectedCount() const noexcept { return kept_.size() - keptCount_; }
    /// Number of samples that do not pass a rule, independent of other rules and of decisions by hand.
    /// @param rule index into the filter's rules
    std::size_t failing(std::size_t rule) const;

    /// Reason of a rejection, for people and for exported lists: "fidelity 0.2 < 0.5; not authentic; rejected by hand".
    /// Empty for kept samples.
    std::string reason(std::size_t row) const;

private:
    const AuditResult& audit_;
    std::size_t model_;
    SampleFilter filter_;
    std::vector<std::vector<bool>> passes_; ///< [rule][row]: whether the sample passes the rule
    std::vector<bool> kept_;
    std::size_t keptCount_ = 0;
};

/// A rule as text: "keep fidelity >= 0.5", "reject class 7", "reject the highest 5 % by pce".
std::string ruleText(const FilterRule& rule);

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

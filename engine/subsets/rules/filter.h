#pragma once

#include "engine/audit/result/filter_rules.h"
#include "engine/subsets/rules/tags.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct AuditResult;

/// What a person has decided about one model's synthetic samples: rules, and what was decided by hand, which goes
/// before the rules. A plain value.
struct SampleFilter {
    FilterRules rules{};
    std::vector<std::uint32_t> byHand{};        ///< rejected rows of the model's set, ascending
    std::vector<std::uint32_t> accepted{};      ///< rows kept whatever the rules say, ascending
    std::shared_ptr<const SampleTags> tags{};   ///< null: none
    std::shared_ptr<const TagNames> tagNames{}; ///< null: none has one
    std::shared_ptr<const SampleNotes> notes{}; ///< null: none
    /// What nearDuplicates() says of the model, where it has been asked before; null: it is asked when a rule needs it.
    std::shared_ptr<const std::vector<std::uint32_t>> nearDuplicates{};

    /// Whether anything can be rejected.
    bool decides() const { return !rules.empty() || !byHand.empty(); }
    bool rejectsByHand(std::size_t row) const;
    bool acceptsByHand(std::size_t row) const;
};

/// What kNearDuplicateRule is about: rows, ascending. O(M k).
std::vector<std::uint32_t> nearDuplicates(const AuditResult& audit, std::size_t model);

/// The values that a rule on a column keeps: those from `low` to `high`, or all others. Not-a-number is in no range.
struct RuleRange {
    double low;
    double high;
    Effect effect;

    bool keeps(double value) const noexcept { return (value >= low && value <= high) == (effect == Effect::Keep); }
};

/// The range of a rule on a column of the catalogue, given the values of the model's samples.
/// Of Highest and Lowest it begins or ends at the last value that is taken, which samples that are not may share.
/// @throws Error{InvalidArgument} for a rule that is on no column of the synthetic side
RuleRange rangeOf(const FilterRule& rule, std::span<const double> values);

/// Makes sure that rules can be applied to a model. @throws as AppliedFilter
void requireRules(const AuditResult& audit, std::size_t model, std::span<const FilterRule> rules);

/// A filter applied to one model's synthetic samples.
class AppliedFilter {
public:
    /// @param audit outlives the object @param model index into audit.models
    /// @throws Error{InvalidArgument} for a column that is unknown or not on the synthetic side, a bound or word that
    /// does not fit the column, and for a row that is not there
    AppliedFilter(const AuditResult& audit, std::size_t model, SampleFilter filter);

    /// One flag per synthetic row.
    const std::vector<bool>& kept() const& noexcept { return kept_; }
    std::vector<bool> kept() && noexcept { return std::move(kept_); }
    std::size_t keptCount() const noexcept { return keptCount_; }
    std::size_t rejectedCount() const noexcept { return kept_.size() - keptCount_; }
    /// How many samples a rule does not let pass, whatever else decides. @param rule index into the filter's rules
    std::size_t failing(std::size_t rule) const;

    /// Why a sample is rejected, for people and for the exported list: "fidelity 0.2 < 0.5; not authentic; rejected by
    /// hand". Empty when it is kept.
    std::string reason(std::size_t row) const;

private:
    const AuditResult& audit_;
    std::size_t model_;
    SampleFilter filter_;
    std::vector<std::vector<bool>> passes_; ///< per rule and row
    std::vector<bool> kept_;
    std::size_t keptCount_ = 0;
};

/// A rule in words: "keep fidelity >= 0.5", "reject class 7", "reject the highest 5 % by pce".
std::string ruleText(const FilterRule& rule);

} // namespace assay

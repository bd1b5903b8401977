#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Condition of a rule: which samples it matches.
enum class Bound {
    AtLeast, ///< value >= FilterRule::value
    AtMost,
    Between, ///< in [`value`, `upper`]
    Highest, ///< the share `value` of all samples with the highest values
    Lowest,
    Is ///< equal to `word`: a word of the column, the class, the group, the tag's number
};

/// Effect of a rule: it keeps only the samples that it matches, or rejects them.
enum class Effect { Keep, Reject };

// Names that a rule can use in addition to the columns of the catalogue and the sets of
// engine/subsets/rules/set_rules.h.
constexpr std::string_view kClassRule = "class"; ///< class of the sample in its file (Bound::Is)
constexpr std::string_view kGroupRule = "group"; ///< group of the sample (Bound::Is)
constexpr std::string_view kTagRule = "tag";     ///< tag that a person assigned (Bound::Is)

/// Whether rules of that name match by a word of the sample, not by a column of the catalogue.
constexpr bool isWordRule(std::string_view column) {
    return column == kClassRule || column == kGroupRule || column == kTagRule;
}

/// One rule about a model's synthetic samples.
struct FilterRule {
    std::string column; ///< id of a synthetic-side column in the catalogue, a set, or one of the names above
    Bound bound = Bound::AtLeast;
    double value = 0.0; ///< the bound; for Between the lower end; for Highest and Lowest the share in [0, 1]
    double upper = 0.0; ///< for Between the upper end
    std::string word{}; ///< for Is the word, class, group or tag number
    Effect effect = Effect::Keep;

    friend bool operator==(const FilterRule&, const FilterRule&) = default;
};

/// Whether a kept sample must pass all rules or at least one.
enum class RuleMatch { All, Any };

/// A list of rules in the order in which a person added them.
struct FilterRules {
    FilterRules() = default;
    FilterRules(std::initializer_list<FilterRule> rules) : list(rules) {}

    std::vector<FilterRule> list;
    RuleMatch match = RuleMatch::All;

    bool empty() const noexcept { return list.empty(); }

    friend bool operator==(const FilterRules&, const FilterRules&) = default;
};

} // namespace assay

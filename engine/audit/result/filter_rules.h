#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Which samples a rule is about.
enum class Bound {
    AtLeast, ///< a value of at least FilterRule::value
    AtMost,
    Between, ///< from `value` to `upper`, both included
    Highest, ///< the share `value` of all samples that have the highest values
    Lowest,
    Is ///< `word`: of a column of words the word, of kClassRule the class, of kTagRule the number of the tag
};

/// What becomes of them: only they are kept, or they are rejected.
enum class Effect { Keep, Reject };

// What a rule can look at beside the columns of the catalogue.
constexpr std::string_view kClassRule = "class"; ///< the class from the file (Bound::Is)
constexpr std::string_view kTagRule = "tag";     ///< a tag that a person gave (Bound::Is)
/// The surplus of classes that are more frequent than in the real set: of those the samples with the smallest p_any, so
/// many that no class has a larger share of the whole set than in the real set. Bound::AtLeast 1, which is the surplus.
constexpr std::string_view kClassSurplusRule = "class_surplus";
/// Samples that are nearly the same as an earlier one of the file: all of a group of near duplicates but its first
/// (engine/audit/result/sample_pairs.h). Bound::AtLeast 1, likewise.
constexpr std::string_view kNearDuplicateRule = "near_duplicate";

/// Whether a rule is on a set of samples that follows from the audit: kClassSurplusRule, kNearDuplicateRule.
constexpr bool isOnSet(std::string_view column) {
    return column == kClassSurplusRule || column == kNearDuplicateRule;
}

/// One rule about a model's synthetic samples. A plain value.
struct FilterRule {
    std::string column; ///< id of a synthetic-side column in the catalogue, or one of the names above
    Bound bound = Bound::AtLeast;
    double value = 0.0; ///< the bound, the lower end of Between, the share in [0, 1] of Highest and Lowest
    double upper = 0.0; ///< the upper end of Between
    std::string word{}; ///< of Is
    Effect effect = Effect::Keep;

    friend bool operator==(const FilterRule&, const FilterRule&) = default;
};

/// Whether a sample has to pass every rule to be kept, or one of them.
enum class RuleMatch { All, Any };

/// Rules in the order in which a person put them. A plain value.
struct FilterRules {
    FilterRules() = default;
    FilterRules(std::initializer_list<FilterRule> rules) : list(rules) {}

    std::vector<FilterRule> list;
    RuleMatch match = RuleMatch::All;

    bool empty() const noexcept { return list.empty(); }

    friend bool operator==(const FilterRules&, const FilterRules&) = default;
};

} // namespace assay

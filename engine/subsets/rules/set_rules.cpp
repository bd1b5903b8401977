#include "engine/subsets/rules/set_rules.h"

#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "engine/audit/result/sample_pairs.h"
#include "engine/base/find_by.h"
#include "engine/data/matrix_view.h"

#include <algorithm>
#include <array>

namespace assay {
namespace {

/// All samples of a group of near duplicates except the first of the file. O(M k).
std::vector<std::uint32_t> nearDuplicates(const AuditResult& audit, std::size_t model) {
    const ModelAudit& audited = *audit.models.at(model);
    // Whoever asks for duplicates to be rejected means equal samples even where they are usual.
    const double threshold = std::max(
        0.0, duplicateThreshold(audit.real->neighbors, audited.set->rows(), audit.seed, {}, unitsOf(*audit.real)));
    const std::vector<std::uint32_t> first = duplicateRepresentatives(*audit.real, audited, threshold);
    return rowsWhere(first.size(), [&](std::size_t row) { return first[row] != row; });
}

} // namespace

std::span<const SetRule> setRules() {
    static constexpr std::array<SetRule, 2> rules{{
        {"near_duplicate", "Keep one of samples that are nearly the same", "One of near duplicates",
         "samples nearly the same as an earlier one", false, &nearDuplicates},
        {"class_surplus", "Reject what classes have beyond their share of the real set",
         "No class beyond its real share", "samples beyond their class's share of the real set", true, &classSurplus},
    }};
    return rules;
}

const SetRule* findSetRule(std::string_view id) {
    return findBy(setRules(), &SetRule::id, id);
}

SetRuleRows rowsOfSets(const AuditResult& audit, std::size_t model, std::span<const std::string> rules) {
    SetRuleRows found;
    for (const std::string& id : rules)
        if (const SetRule* rule = findSetRule(id))
            found[id] = std::make_shared<const std::vector<std::uint32_t>>(rule->rows(audit, model));
    return found;
}

namespace {

FilterRule without(const char* verdict) {
    return {"verdict", Bound::Is, 0.0, 0.0, verdict, Effect::Reject};
}

std::vector<ReadyRule> allRules() {
    std::vector<ReadyRule> rules{
        {"suspicious", "Reject what looks bad, and at most 1 % of good samples", {"p_any", Bound::AtLeast, 0.01}},
        {"unrealistic", "Reject unrealistic samples", without("unrealistic")},
        {"invented", "Reject invented samples", without("invented")},
        {"crowded", "Reject crowded samples", without("crowded")},
        {"copy", "Reject copies of real samples", without("copy")},
    };
    for (const SetRule& rule : setRules())
        rules.push_back({rule.id, rule.title, rule.rule()});
    return rules;
}

} // namespace

std::span<const ReadyRule> readyRules() {
    static const std::vector<ReadyRule> rules = allRules();
    return rules;
}

const ReadyRule* findReadyRule(std::string_view id) {
    return findBy(readyRules(), &ReadyRule::id, verdictWordOf(id));
}

} // namespace assay

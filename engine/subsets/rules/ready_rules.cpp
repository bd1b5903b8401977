#include "engine/subsets/rules/ready_rules.h"

#include "engine/base/find_by.h"
#include "engine/subsets/rules/set_rules.h"

#include <string>
#include <vector>

namespace assay {
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

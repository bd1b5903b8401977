#include "engine/subsets/rules/ready_rules.h"

#include "engine/base/find_by.h"

#include <array>
#include <string>

namespace assay {
namespace {

FilterRule without(const char* verdict) {
    return {"verdict", Bound::Is, 0.0, 0.0, verdict, Effect::Reject};
}

} // namespace

std::span<const ReadyRule> readyRules() {
    static const std::array<ReadyRule, 7> rules{{
        {"suspicious", "Reject what looks bad, and at most 1 % of good samples", {"p_any", Bound::AtLeast, 0.01}},
        {"unrealistic", "Reject unrealistic samples", without("unrealistic")},
        {"invented", "Reject invented samples", without("invented")},
        {"crowded", "Reject crowded samples", without("crowded")},
        {"copy", "Reject copies of real samples", without("copy")},
        {"near_duplicate",
         "Keep one of samples that are nearly the same",
         {std::string(kNearDuplicateRule), Bound::AtLeast, 1.0, 0.0, {}, Effect::Reject}},
        {"class_surplus",
         "Reject what classes have beyond their share of the real set",
         {std::string(kClassSurplusRule), Bound::AtLeast, 1.0, 0.0, {}, Effect::Reject}},
    }};
    return rules;
}

const ReadyRule* findReadyRule(std::string_view id) {
    return findBy(readyRules(), &ReadyRule::id, verdictWordOf(id));
}

} // namespace assay

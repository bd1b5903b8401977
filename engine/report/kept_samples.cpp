#include "engine/report/kept_samples.h"

#include "engine/audit/audit_result.h"
#include "engine/report/rule_text.h"

#include <algorithm>
#include <random>

namespace assay {

KeptSamples keptSamples(const std::shared_ptr<const AuditResult>& audit, std::size_t model, const SampleFilter& filter,
                        const AuditOptions& options, const JobContext& job) {
    const ModelAudit& audited = *audit->models.at(model);
    const FilterOutcome outcome = applyRules(audited, filter);
    KeptSamples result;
    result.model = model;
    for (std::size_t at = 0; at < filter.rules.size(); ++at)
        result.rules.push_back(
            {report::ruleText(filter.rules[at]), applyRules(audited, {filter.rules.subspan(at, 1)}).rejectedCount});
    result.byHand = filter.byHand.size();
    result.kept = outcome.keptCount;
    result.rejected = outcome.rejectedCount;
    if (outcome.keptCount <= audit->k || outcome.rejectedCount == 0)
        return result;
    constexpr std::size_t kKeepNothing = 0; // two subsets that have little in common
    WhatIf whatIf(audit, model, options, kKeepNothing);
    result.scores = whatIf.evaluate(outcome.kept, job.part("Scoring what is kept", 0.0, 0.5));
    std::vector<bool> random(outcome.kept.size(), false);
    std::fill_n(random.begin(), outcome.keptCount, true);
    // As the window draws them.
    std::shuffle(random.begin(), random.end(), std::mt19937_64(random.size()));
    result.random = whatIf.evaluate(random, job.part("Scoring as many at random", 0.5, 1.0));
    return result;
}

} // namespace assay

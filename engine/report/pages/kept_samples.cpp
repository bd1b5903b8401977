#include "engine/report/pages/kept_samples.h"

#include <utility>

namespace assay {

KeptSamples keptSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter, KeptAudit left) {
    const AppliedFilter applied(audit, model, filter);
    KeptSamples result;
    result.model = model;
    for (std::size_t rule = 0; rule < filter.rules.list.size(); ++rule)
        result.rules.push_back({ruleText(filter.rules.list[rule]), applied.failing(rule)});
    result.match = filter.rules.match;
    result.byHand = filter.byHand.size();
    result.accepted = filter.accepted.size();
    result.left = std::move(left);
    return result;
}

KeptSamples keptSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter,
                        const AuditOptions& options, const JobContext& job) {
    return keptSamples(audit, model, filter, auditKept(audit, model, filter, options, job));
}

} // namespace assay

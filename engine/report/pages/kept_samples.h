#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <cstddef>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;

/// A rule and its effect on its own.
struct RuleEffect {
    std::string text;         ///< description of the rule in words
    std::size_t rejected = 0; ///< number of samples that the rule rejects, regardless of other rules
};

/// The user's decisions about one model's samples, and their effect.
struct KeptSamples {
    std::size_t model = 0; ///< index into AuditResult::models
    std::vector<RuleEffect> rules;
    RuleMatch match = RuleMatch::All;
    std::size_t rejectedByHand = 0; ///< samples rejected by hand
    std::size_t accepted = 0;       ///< samples kept by hand, regardless of the rules
    KeptAudit left; ///< scores of the kept samples, and of as many random ones; no scores when nothing is rejected
};

/// Summarises a filter's decisions. @param left result of auditKept() for the filter @throws as AppliedFilter
KeptSamples keptSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter, KeptAudit left);

/// Applies the filter and audits the samples that it keeps, and as many samples drawn at random for comparison.
/// @param model index into AuditResult::models
/// @throws as auditKept()
KeptSamples keptSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter,
                        const AuditOptions& options = {}, const JobContext& job = {});

} // namespace assay

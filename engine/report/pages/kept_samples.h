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

/// A rule and what it does by itself.
struct RuleEffect {
    std::string text;         ///< what it keeps or rejects, in words
    std::size_t rejected = 0; ///< samples, whatever other rules say of them
};

/// What a person has decided about one model's samples, and what that did.
struct KeptSamples {
    std::size_t model = 0; ///< index into AuditResult::models
    std::vector<RuleEffect> rules;
    RuleMatch match = RuleMatch::All;
    std::size_t byHand = 0;   ///< samples rejected by hand
    std::size_t accepted = 0; ///< samples kept by hand, whatever the rules say
    KeptAudit left;           ///< what is left, and as many at random; without scores where nothing is rejected
};

/// @param left what auditKept() makes of the filter @throws as AppliedFilter
KeptSamples keptSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter, KeptAudit left);

/// Applies the filter and audits what it keeps, beside as many samples drawn at random.
/// @param model index into audit.models @throws as auditKept
KeptSamples keptSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter,
                        const AuditOptions& options = {}, const JobContext& job = {});

} // namespace assay

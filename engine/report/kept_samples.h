#pragma once

#include "engine/audit/audit.h"
#include "engine/audit/filter.h"
#include "engine/audit/what_if.h"
#include "engine/job/job_context.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;

/// A rule and what it does by itself.
struct RuleEffect {
    std::string text;         ///< what it keeps, in words
    std::size_t rejected = 0; ///< samples, whatever other rules say of them
};

/// What a person has decided about one model's samples, and what that did.
struct KeptSamples {
    std::size_t model = 0; ///< index into AuditResult::models
    std::vector<RuleEffect> rules;
    std::size_t byHand = 0; ///< samples rejected by hand
    std::size_t kept = 0;
    std::size_t rejected = 0;
    std::optional<WhatIfResult> scores{}; ///< of what is kept; nothing where that is at most k samples, or all
    std::optional<WhatIfResult> random{}; ///< of as many samples drawn at random, with a fixed seed
};

/// Applies the filter and scores what it keeps, beside as many samples drawn at random.
/// @param model index into audit->models
/// @throws Error{InvalidArgument} for a filter that does not fit the model; Cancelled
KeptSamples keptSamples(const std::shared_ptr<const AuditResult>& audit, std::size_t model, const SampleFilter& filter,
                        const AuditOptions& options = {}, const JobContext& job = {});

} // namespace assay

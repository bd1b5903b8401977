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

/// A rejected sample and why.
struct RejectedSample {
    std::size_t row = 0;
    std::string reason; ///< as in exports
};

/// What a person has decided about one model's samples, and what that did.
struct KeptSamples {
    std::size_t model = 0;          ///< index into AuditResult::models
    std::vector<std::string> rules; ///< in words: what each one keeps
    std::size_t byHand = 0;         ///< samples rejected by hand
    std::size_t kept = 0;
    std::size_t rejected = 0;
    std::vector<RejectedSample> firstRejected; ///< at most kNamedRejected, in the order of the file
    std::optional<WhatIfResult> scores{};      ///< of what is kept; nothing where that is at most k samples
    std::optional<WhatIfResult> random{};      ///< of as many samples drawn at random, with a fixed seed
    static constexpr std::size_t kNamedRejected = 8;
};

/// Applies the filter and scores what it keeps, beside as many samples drawn at random.
/// @param model index into audit->models
/// @throws Error{InvalidArgument} for a filter that does not fit the model; Cancelled
KeptSamples keptSamples(const std::shared_ptr<const AuditResult>& audit, std::size_t model, const SampleFilter& filter,
                        const AuditOptions& options = {}, const JobContext& job = {});

} // namespace assay

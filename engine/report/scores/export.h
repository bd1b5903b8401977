#pragma once

#include "engine/base/job_context.h"
#include "engine/subsets/rules/filter.h"

#include <cstddef>
#include <filesystem>

namespace assay {

struct AuditResult;
struct ExternalScores;
struct WhatIfResult;

/// The decisions about the samples of a model.
struct DecidedModel {
    std::size_t model = 0; ///< index into AuditResult::models
    const SampleFilter& filter;
    const WhatIfResult* scores = nullptr;     ///< of the kept samples; null when unknown
    const ExternalScores* external = nullptr; ///< figures of models from elsewhere; null or empty for none
};

/// Writes a report that others can verify: the audit as assay-score --json writes it, with the rules, the samples
/// rejected and kept by hand, the kept samples of one model and their scores (docs/output.md). The file appears either
/// complete or not at all.
/// @throws Error{InvalidArgument} for a rule that does not fit; Error{WriteFailed} naming the file; Cancelled
void exportReport(const AuditResult& audit, const DecidedModel& decided, const std::filesystem::path& file,
                  const JobContext& job = {});

} // namespace assay

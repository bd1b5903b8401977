#pragma once

#include "engine/base/job_context.h"
#include "engine/subsets/rules/filter.h"

#include <cstddef>
#include <filesystem>

namespace assay {

struct AuditResult;
struct WhatIfResult;

/// Writes a report that somebody else can check: the whole audit as assay-score --json does, with the rules, what was
/// rejected and kept by hand, what they keep of one model and what that scores by itself (docs/output.md). The file
/// appears whole or not at all.
/// @param model index into audit.models @param scores of the kept samples; null where they are not known
/// @throws Error{InvalidArgument} for a rule that does not fit, Error{WriteFailed} naming the file, Cancelled
void exportReport(const AuditResult& audit, std::size_t model, const SampleFilter& filter, const WhatIfResult* scores,
                  const std::filesystem::path& file, const JobContext& job = {});

} // namespace assay

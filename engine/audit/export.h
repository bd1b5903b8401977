#pragma once

#include "engine/audit/filter.h"
#include "engine/job/job_context.h"

#include <cstddef>
#include <filesystem>

namespace assay {

struct AuditResult;
struct WhatIfResult;

/// Which of a model's synthetic samples to write.
enum class ExportWhat { Kept, Rejected };

/// Writes the kept or rejected samples with all their scores as CSV (quoted as in RFC 4180, UTF-8, header, lines ended
/// by LF): row, id, label, every synthetic-side column of the catalogue, reason, then tags and note where there are
/// any. Rows keep their number in the source file and ascend; numbers have a decimal point and read back to the same
/// double; `reason` is empty for kept samples. The file appears whole or not at all.
/// @param model index into audit.models
/// @throws Error{InvalidArgument} for a rule that does not fit, Error{WriteFailed} naming the file, Cancelled
void exportCsv(const AuditResult& audit, std::size_t model, const SampleFilter& filter, ExportWhat what,
               const std::filesystem::path& file, const JobContext& job = {});

/// Writes the ids of the kept or rejected samples, one a line (LF), in ascending row order. The file appears whole or
/// not at all. @throws as exportCsv
void exportIds(const AuditResult& audit, std::size_t model, const SampleFilter& filter, ExportWhat what,
               const std::filesystem::path& file, const JobContext& job = {});

/// Writes a report that somebody else can check: the whole audit as assay-score --json does, with the rules, what was
/// rejected and kept by hand, what they keep of one model and what that scores by itself (docs/output.md). The file
/// appears whole or not at all.
/// @param model index into audit.models @param scores of the kept samples; null where they are not known
/// @throws as exportCsv
void exportReport(const AuditResult& audit, std::size_t model, const SampleFilter& filter, const WhatIfResult* scores,
                  const std::filesystem::path& file, const JobContext& job = {});

} // namespace assay

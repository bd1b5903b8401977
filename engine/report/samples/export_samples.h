#pragma once

#include "engine/base/job_context.h"
#include "engine/report/samples/export_request.h"

#include <filesystem>
#include <span>
#include <string>

namespace assay {

struct AuditResult;
struct SampleFilter;

/// Writes samples of one or several models with what was decided about them (docs/output.md). Of one model the file is
/// what the format writes. Of several it is a new folder with one file each, named as by exportFileName; a model
/// without such samples has none. File or folder appear whole or not at all.
/// @param filters what decides about each model's samples, one per model of the audit
/// @param file    replaced where it is there; a folder has to be new or empty
/// @return how many samples were written
/// @throws Error{InvalidArgument} for an unknown format, no model, a rule that does not fit, samples that the format
///         cannot hold, and where there is nothing to write into an archive or folder; Error{WriteFailed} naming the
///         file, also for one that is an input of the audit or an audit file; Error{BadInput} for an input that was
///         changed; Cancelled
std::size_t exportSamples(const AuditResult& audit, const ExportRequest& request, std::span<const SampleFilter> filters,
                          const std::filesystem::path& file, const JobContext& job = {});

/// "gan.kept.csv": a model's file as it is suggested, and in a folder of several; "gan-kept" for a folder.
/// @param name of the model @param request `format` must be known
std::string exportFileName(std::string_view name, const ExportRequest& request);

/// Makes sure that an export replaces neither an input of the audit nor an audit file. @throws Error{WriteFailed}
void requireNoInput(const AuditResult& audit, const std::filesystem::path& file);

} // namespace assay

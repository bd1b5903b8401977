#pragma once

#include "engine/base/job_context.h"
#include "engine/data/sample_set.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;
struct SampleFilter;

/// Which synthetic samples of a model to write: those that the decisions keep, those that they reject, or a list.
enum class ExportWhat { Kept, Rejected, Listed };

/// Which samples of an audit to write, and in which format. A value type.
struct ExportRequest {
    ExportWhat what = ExportWhat::Kept;
    SampleSet listed{};                ///< for ExportWhat::Listed; real samples are ignored
    std::vector<std::size_t> models{}; ///< indices into AuditResult::models, ascending
    std::string format = "csv";        ///< id in exportFormats()
};

/// Writes samples of one or several models, with the decisions about them (docs/output.md). For one model, `file` is
/// written by the format. For several models, `file` is a new folder with one file per model, named by
/// exportFileName(); models without such samples have no file. The file or folder appears either complete or not at
/// all.
/// @param filters decisions about each model's samples, one per model of the audit
/// @param file is replaced when it exists; a folder must be new or empty
/// @return number of samples written
/// @throws Error{InvalidArgument} for an unknown format, no model, a rule that does not fit, samples that the format
///         cannot store, or an archive or folder without samples; Error{WriteFailed} naming the file, also when it is
///         an input of the audit or an audit file; Error{BadInput} for an input that has changed; Cancelled
std::size_t exportSamples(const AuditResult& audit, const ExportRequest& request, std::span<const SampleFilter> filters,
                          const std::filesystem::path& file, const JobContext& job = {});

/// Default name of a model's file, also used in a folder of several: "gan.kept.csv"; "gan-kept" for a folder.
/// @param name name of the model
/// @param request its `format` must exist
std::string exportFileName(std::string_view name, const ExportRequest& request);

/// Checks that an export replaces neither an input of the audit nor an audit file.
/// @throws Error{WriteFailed} otherwise
void requireNoInput(const AuditResult& audit, const std::filesystem::path& file);

} // namespace assay

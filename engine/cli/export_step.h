#pragma once

#include "engine/base/job_context.h"
#include "engine/report/samples/export_request.h"

#include <string>

namespace assay {

class OutputFiles;
struct AuditResult;
struct ScoreArguments;

/// One option `--export WHAT=FILE`.
struct ExportArgument {
    ExportWhat what = ExportWhat::Kept;
    std::string file;   ///< may contain `{model}`
    std::string format; ///< id of the format, chosen by the file's suffix
};

/// Parses the value of an `--export` option.
/// @throws Error{InvalidArgument} when the text is not `WHAT=FILE`, or no format has the file's suffix
ExportArgument parseExport(const std::string& text);

/// The suffixes that --export accepts, for the help text: ".csv .jsonl .txt .npy .npz / .zip".
std::string exportSuffixes();

/// Checks the exports before the audit runs, because it may take minutes. Writes nothing.
/// @param files the other output files of the run; the exports are added
/// @throws Error{InvalidArgument} when models and file names do not fit together; Error{WriteFailed} when a file or
///         folder cannot be written, or is also an input or another output
void checkExports(const ScoreArguments& arguments, OutputFiles& files);

/// Writes the samples that --export requests. Rules (--rules) and decisions (--open) determine which samples are kept.
/// @return one line per file with its number of samples
/// @throws as checkExports() and exportSamples()
std::string writeExports(const AuditResult& audit, const ScoreArguments& arguments, const JobContext& job);

} // namespace assay

#pragma once

#include "engine/base/job_context.h"
#include "engine/report/samples/export_request.h"

#include <string>

namespace assay {

class OutputFiles;
struct AuditResult;
struct ScoreArguments;

/// One `--export WHAT=FILE`.
struct ExportArgument {
    ExportWhat what = ExportWhat::Kept;
    std::string file;   ///< may contain `{model}`
    std::string format; ///< id of the format that the file's suffix asks for
};

/// @throws Error{InvalidArgument} for a text that is no `WHAT=FILE`, or a file whose suffix names no format
ExportArgument parseExport(const std::string& text);

/// The suffixes that --export knows, for help: ".csv .jsonl .txt .npy .npz / .zip".
std::string exportSuffixes();

/// What can be known to fail before minutes of work are spent. Writes nothing.
/// @param files those that are to be written already
/// @throws Error{InvalidArgument} for models that do not fit the files, Error{WriteFailed}
void checkExports(const ScoreArguments& arguments, OutputFiles& files);

/// Writes what --export asks for, by the rules of --rules and the decisions of --open.
/// @return a line per file that says how many samples it has
/// @throws as checkExports and exportSamples
std::string writeExports(const AuditResult& audit, const ScoreArguments& arguments, const JobContext& job);

} // namespace assay

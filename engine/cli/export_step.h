#pragma once

#include "engine/base/job_context.h"
#include "engine/data/units.h"
#include "engine/report/samples/export_samples.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;
struct ScoreArguments;

/// The files that a run will write. Checks that none is an input and that none is written twice.
class OutputFiles {
public:
    explicit OutputFiles(const ScoreArguments& arguments);

    /// Adds an output file.
    /// @param what the option that writes it, for messages: "--json"
    /// @param file empty: does nothing
    /// @throws Error{WriteFailed} when the file is an input or another output
    void add(const std::string& what, const std::string& file);

    /// Adds the models' tables; different model names may give the same file name.
    /// @throws Error{WriteFailed} when a file is an input or another output
    void addTables(const std::string& folder, const std::vector<std::string>& models);

private:
    std::vector<std::string> inputs_;
    std::map<std::filesystem::path, std::string> taken_; ///< output files, each with the option that writes it
};

/// Checks that a folder exists and can be written to, or can be created.
/// @throws Error{WriteFailed} otherwise
void requireFolder(const std::string& folder);

/// Creates a folder and removes it again unless something was written to it.
class OutputFolder {
public:
    /// @throws Error{WriteFailed}
    explicit OutputFolder(const std::string& folder);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

private:
    std::string folder_;
    bool made_ = false;
};

/// File name of a model's table in the folder of --csv. Slashes in the model's name are replaced.
std::string csvFile(const std::string& folder, std::string model, Side side);

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

#pragma once

#include "engine/cli/score_arguments.h"
#include "engine/data/sample_id.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace assay {

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

/// File name of a model's table in the folder of --csv. Slashes in the model's name are replaced.
std::string csvFile(const std::string& folder, std::string model, Side side);

} // namespace assay

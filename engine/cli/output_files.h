#pragma once

#include "engine/cli/score_arguments.h"
#include "engine/data/sample_id.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace assay {

/// The files that a run is to write: none of them an input, none of them twice.
class OutputFiles {
public:
    explicit OutputFiles(const ScoreArguments& arguments);

    /// @param what who writes it, for messages: "--json"
    /// @param file empty for none
    /// @throws Error{WriteFailed} when it is an input or that of another output
    void add(const std::string& what, const std::string& file);

    /// The tables of models, whose names may come to the same file. @throws likewise
    void addTables(const std::string& folder, const std::vector<std::string>& models);

private:
    std::vector<std::string> inputs_;
    std::map<std::filesystem::path, std::string> taken_; ///< and who writes it
};

/// Makes sure that a folder is there or can be made. @throws Error{WriteFailed}
void requireFolder(const std::string& folder);

/// A model's table in the folder of --csv. Whatever in its name would lead into another folder is replaced.
std::string csvFile(const std::string& folder, std::string model, Side side);

} // namespace assay

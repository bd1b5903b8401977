#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace assay {

struct ScoreArguments;

/// The options that assign pictures, labels and groups to sets, and the option for a manifest.
class SetOptions {
public:
    /// Adds the options. @param app,arguments must outlive this object
    SetOptions(CLI::App& app, ScoreArguments& arguments);

    /// Assigns the parsed values to the sets. Call it after all sets are known.
    /// @throws CLI::ValidationError when a value names a model that does not exist
    void apply(ScoreArguments& arguments) const;

    CLI::Option* manifest; ///< excludes all other options that name sets

private:
    std::vector<std::string> pictures_; ///< values of the form [NAME=]DIR
    std::vector<std::string> labels_;
    std::vector<std::string> groups_; ///< values of the form [NAME=]VALUE
    std::string join_, order_;
};

/// Adds the options for the preparation of values (ScoreArguments::choice). @return the options, --scale first
std::vector<CLI::Option*> addPreparationOptions(CLI::App& app, ScoreArguments& arguments);

/// Adds an option that names a file or folder, or a model; an empty name is an error.
/// @param type of the value in the help
CLI::Option* addName(CLI::App& app, const std::string& name, std::string& into, const std::string& help,
                     const std::string& type = "FILE");

/// Adds an option that may be given several times, with one value each.
/// @param type of the value in the help
CLI::Option* addList(CLI::App& app, const std::string& name, std::vector<std::string>& into, const std::string& help,
                     const std::string& type);

/// A check of CLI11: why a text cannot name a file or folder, or nothing.
std::string someFile(const std::string& text);

/// Reads the manifest and adds its sets to the arguments.
/// @throws as readManifest()
void takeManifest(ScoreArguments& arguments);

} // namespace assay

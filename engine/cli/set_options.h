#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace assay {

struct ScoreArguments;

/// The options that say which pictures and labels go with which set, and the manifest that says it all.
class SetOptions {
public:
    /// Adds them. @param app,arguments outlive the object
    SetOptions(CLI::App& app, ScoreArguments& arguments);

    /// Hands them to the sets, once these are known. @throws CLI::ValidationError for a model that there is none of
    void apply(ScoreArguments& arguments) const;

    CLI::Option* manifest; ///< excludes whatever else names sets

private:
    std::vector<std::string> pictures_; ///< [NAME=]DIR
    std::vector<std::string> labels_;
    std::string join_, order_;
};

/// Takes the sets of a manifest. @throws as readManifest
void takeManifest(ScoreArguments& arguments);

} // namespace assay

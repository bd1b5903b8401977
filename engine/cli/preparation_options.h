#pragma once

#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace assay {

struct ScoreArguments;

/// Adds the options for the preparation of values (ScoreArguments::choice). @return the options, --scale first
std::vector<CLI::Option*> addPreparationOptions(CLI::App& app, ScoreArguments& arguments);

} // namespace assay

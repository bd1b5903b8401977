#pragma once

#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace assay {

struct ScoreArguments;

/// The options that say how the values of files are taken (`choice` of the arguments), --scale first.
std::vector<CLI::Option*> addPreparationOptions(CLI::App& app, ScoreArguments& arguments);

} // namespace assay

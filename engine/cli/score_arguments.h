#pragma once

#include "engine/audit/audit.h"
#include "engine/audit/filter.h"
#include "engine/cli/export_step.h"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// One `--synthetic [NAME=]FILE`.
struct SyntheticArgument {
    std::string name; ///< as given, else from the file's name; unique
    std::string file;
};

/// What `assay-score` was asked to do.
struct ScoreArguments {
    std::string real;
    std::vector<SyntheticArgument> synthetic;
    std::string heldOut; ///< file, empty for none
    bool demo = false;   ///< the built-in demo instead of files
    AuditOptions options;
    bool badFraction = false;         ///< the bad-fraction curve
    std::string bad;                  ///< file of its bad samples, empty for noise
    bool sampleSize = false;          ///< the sample-size curve of every model
    std::vector<std::string> discard; ///< columns to remove samples by
    std::string json;                 ///< file, "-" for standard output, empty for none
    std::string csv;                  ///< folder, empty for none
    std::string open;                 ///< audit file to go on from instead of a real set, empty for none
    std::string out;                  ///< audit file to write, empty for none
    std::string compat;               ///< a published program whose conventions to show beside ours, empty for none
    FilterRules rules;                ///< of --rules: what --export writes by
    std::vector<ExportArgument> exports;
    std::string exportModel; ///< the one that is exported, empty for all
    bool quiet = false;

    /// Whether curves over subsets are asked for.
    bool wantCurves() const { return badFraction || sampleSize || !discard.empty(); }
};

/// Parses the command line, printing help, version or what is wrong with it.
/// @param exitCode set when there is nothing to do: 0 after help or version, 2 after a usage error
/// @return nothing when the program should end with `exitCode`
std::optional<ScoreArguments> parseScoreArguments(int argc, char** argv, int& exitCode);

} // namespace assay

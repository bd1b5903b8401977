#pragma once

#include "engine/audit/run/audit.h"
#include "engine/cli/export_step.h"
#include "engine/io/preparation/prepare.h"
#include "engine/io/sets/set_files.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/what_if/requirements.h"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// One `--synthetic [NAME=]FILE`.
struct SyntheticArgument {
    std::string name; ///< as given, else from the file's name; unique
    SetFiles files;
};

/// What `assay-score` was asked to do.
struct ScoreArguments {
    SetFiles real;
    std::vector<SyntheticArgument> synthetic;
    std::string manifest; ///< that these came from, empty for none
    SetFiles heldOut;     ///< embeddings empty for none
    bool demo = false;    ///< the built-in demo instead of files
    AuditOptions options;
    PreparationChoice choice;         ///< how files are taken
    bool badFraction = false;         ///< the bad-fraction curve
    std::string bad;                  ///< file of its bad samples, empty for noise
    bool sampleSize = false;          ///< the sample-size curve of every model
    bool frontier = false;            ///< fidelity against coverage of every model as samples go
    std::vector<std::string> discard; ///< columns to remove samples by
    std::string json;                 ///< file, "-" for standard output, empty for none
    std::string csv;                  ///< folder, empty for none
    std::string open;                 ///< audit file to go on from instead of a real set, empty for none
    std::string out;                  ///< audit file to write, empty for none
    bool pack = false;                ///< into it also the embeddings and pictures
    std::string report;               ///< report to write (engine/report/pages/report.h), empty for none
    std::string compat;               ///< a published program whose conventions to show beside ours, empty for none
    std::optional<FilterRules> rules; ///< nothing: those of the audit file, where one is opened
    std::vector<Requirement> requirements; ///< what the audit must meet
    std::string junit;                     ///< file for what they come to, empty for none
    std::string replay;                    ///< audit file to compute again, empty for none
    std::vector<ExportArgument> exports;   ///< samples to write, by what is decided
    std::string exportModel;               ///< the model whose samples they are, empty for all
    bool quiet = false;

    /// Whether curves over subsets are asked for.
    bool wantCurves() const { return badFraction || sampleSize || frontier || !discard.empty(); }
    /// Whether all of them stand in an output. The report shows bad fractions alone.
    bool showCurves() const {
        return !json.empty() || !out.empty() || (!report.empty() && !sampleSize && discard.empty());
    }
    /// Whether a file or folder is written, or JSON to standard output.
    bool hasOutput() const {
        return !json.empty() || !csv.empty() || !out.empty() || !report.empty() || !exports.empty();
    }
};

/// Parses the command line, printing help, version or what is wrong with it.
/// @param exitCode set when there is nothing to do: 0 after help or version, 2 after a usage error
/// @return nothing when the program should end with `exitCode`
std::optional<ScoreArguments> parseScoreArguments(int argc, char** argv, int& exitCode);

} // namespace assay

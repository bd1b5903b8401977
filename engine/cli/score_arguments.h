#pragma once

#include "engine/audit/run/audit.h"
#include "engine/cli/export_step.h"
#include "engine/external/external_scores.h"
#include "engine/io/preparation/prepare.h"
#include "engine/io/sets/set_files.h"
#include "engine/subsets/requirements/requirements.h"
#include "engine/subsets/rules/filter.h"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// One option `--synthetic [NAME=]FILE`.
struct SyntheticArgument {
    std::string name; ///< given by the user, else derived from the file's name; unique
    SetFiles files;
};

/// The parsed command line of `assay-score`.
struct ScoreArguments {
    SetFiles real;
    std::vector<SyntheticArgument> synthetic;
    std::string manifest; ///< manifest that lists the sets, empty for none
    SetFiles heldOut;     ///< `embeddings` is empty for none
    std::string groups;   ///< column of the groups of every set that has it, empty for none
    bool demo = false;    ///< the built-in demo instead of files
    AuditOptions options;
    PreparationChoice choice;              ///< preparation of the values
    std::string python;                    ///< Python that converts files of its libraries, empty for none
    bool badFraction = false;              ///< compute the bad-fraction curve
    std::string bad;                       ///< file of its bad samples, empty: noise
    bool sampleSize = false;               ///< compute the sample-size curve of every model
    bool frontier = false;                 ///< compute every model's fidelity-coverage curve as samples are removed
    std::vector<std::string> discard;      ///< columns by which samples are removed
    std::vector<std::string> useful;       ///< the same for utility and membership
    std::string json;                      ///< file, "-" for standard output, empty for none
    std::string csv;                       ///< folder, empty for none
    std::string open;                      ///< audit file to open instead of reading a real set, empty for none
    std::string out;                       ///< audit file to write, empty for none
    bool pack = false;                     ///< also store embeddings and pictures in `out`
    bool reportAppendix = false;           ///< with everything that is known of each model
    std::string report;                    ///< report to write (engine/report/pages/report.h), empty for none
    std::string statistics;                ///< file for the real set's mean and covariance, empty for none
    std::string page;                      ///< page to explore (engine/report/page/explore_page.h), empty for none
    std::size_t pageSamples = 20'000;      ///< samples that it holds at most
    std::string compat;                    ///< published program whose conventions are also applied, empty for none
    std::optional<FilterRules> rules;      ///< empty: those of the opened audit file, if any
    std::vector<std::string> ruleFiles;    ///< files and names that the rules were given by
    std::vector<Requirement> requirements; ///< requirements that the audit must meet
    std::string externalFile;              ///< that they are from
    ExternalScores external{};             ///< figures of models from elsewhere; empty for none
    std::vector<std::string> sampleScores; ///< tables of figures of samples from elsewhere
    std::string junit;                     ///< JUnit file for the results of the requirements, empty for none
    bool judge = false;                    ///< judge the samples of an opened audit file again with this version
    std::string replay;                    ///< audit file to recompute and compare, empty for none
    std::vector<ExportArgument> exports;   ///< samples to write, kept or rejected
    std::string exportModel;               ///< model whose samples are exported, empty for all
    bool quiet = false;

    /// Whether any curve over subsets is requested.
    bool wantCurves() const { return badFraction || sampleSize || frontier || !discard.empty() || !useful.empty(); }
    /// Whether all requested curves appear in an output. The report contains only the bad-fraction curve.
    bool showCurves() const {
        return !json.empty() || !out.empty() || (!report.empty() && !sampleSize && discard.empty() && useful.empty());
    }
    /// Whether the run writes a file or folder, or JSON to standard output.
    bool hasOutput() const {
        return !json.empty() || !csv.empty() || !out.empty() || !report.empty() || !page.empty() || !exports.empty();
    }
};

/// Name of a choice on the command line: "auto", "gemm", ...
std::string backendName(BackendChoice choice);

/// Parses the command line. Prints the help, the version or an error message.
/// @param exitCode set when the program should end: 0 after help or version, 2 after a usage error
/// @return empty when the program should end with `exitCode`
std::optional<ScoreArguments> parseScoreArguments(int argc, char** argv, int& exitCode);

} // namespace assay

#include "engine/cli/score_arguments.h"

#include "engine/audit/run/audit_cost.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/cli/set_options.h"
#include "engine/cli/signals.h"
#include "engine/compat/programs.h"
#include "engine/gpu/backends/backends.h"
#include "engine/gpu/device/device.h"
#include "engine/gpu/search/device_search.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/neighbors/backends/cpu_backends.h"
#include "engine/report/pages/report.h"
#include "engine/subsets/curves/removal.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/rules/set_rules.h"
#include "engine/version.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <limits>
#include <sstream>

namespace assay {
namespace {

constexpr int kUsageExit = 2;

/// Splits `[NAME=]FILE`. The whole text is the file if such a file exists.
SyntheticArgument parseSynthetic(const std::string& text) {
    if (text.empty() || text.back() == '=')
        throw CLI::ValidationError("--synthetic", "expected a file, found none in '" + text + "'");
    const std::size_t equals = text.find('=');
    std::error_code ignored; // a text that cannot be a file name is not one
    if (equals != std::string::npos && !std::filesystem::exists(text, ignored)) {
        const std::string name = text.substr(0, equals);
        if (!name.empty() && name.find('/') == std::string::npos)
            return {name, {text.substr(equals + 1)}};
        if (std::filesystem::exists(parseFileSpec(text.substr(equals + 1)).file, ignored))
            throw CLI::ValidationError("--synthetic",
                                       name.empty() ? "expected a name before '=', found none"
                                                    : "expected a name without '/' before '=', found '" + name + "'");
    }
    const FileSpec spec = parseFileSpec(text);
    const std::string stem = utf8OrEscaped(std::filesystem::path(spec.file).stem().string());
    return {spec.key.empty() ? stem : stem + "-" + spec.key, {text}};
}

/// Makes derived names unique: two files of the same name become "samples" and "samples-2". Two equal names given by
/// the user are an error.
void makeUnique(std::vector<SyntheticArgument>& models, const std::vector<std::string>& texts) {
    for (std::size_t m = 0; m < models.size(); ++m) {
        const std::string wanted = models[m].name;
        const auto taken = [&](const std::string& name) {
            return std::any_of(models.begin(), models.begin() + static_cast<std::ptrdiff_t>(m),
                               [&](const SyntheticArgument& other) { return other.name == name; });
        };
        if (taken(wanted) && texts[m].starts_with(wanted + "="))
            throw CLI::ValidationError("--synthetic", "expected each name once, found '" + wanted + "' twice");
        for (int number = 2; taken(models[m].name); ++number)
            models[m].name = fmt::format("{}-{}", wanted, number);
    }
}

struct BackendName {
    std::string name;
    BackendChoice choice;
};

/// Names of all choices, including backends that this machine may lack: querying the driver takes time, and "no such
/// name" would be wrong.
std::vector<BackendName> backendNames() {
    std::vector<BackendName> names{{"auto", BackendChoice::Auto}};
    for (const Backend& backend : cpuBackends())
        names.push_back({std::string(backend.name), backend.choice});
    names.push_back({"cuda", BackendChoice::Cuda});
    return names;
}

std::string backendList() {
    return joined(backendNames(), ", ", &BackendName::name);
}

BackendChoice parseBackend(const std::string& text) {
    const std::vector<BackendName> names = backendNames();
    const BackendName* found = findBy(names, &BackendName::name, CLI::detail::to_lower(text));
    if (found == nullptr)
        throw CLI::ValidationError("--backend", "expected one of " + backendList() + ", found " + text);
    return found->choice;
}

/// Lists the graphics cards that can be used, or says why there are none.
std::string cardsText() {
    const cuda::DeviceList& list = cuda::deviceList();
    std::string text = "Graphics cards for --backend cuda:";
    for (const cuda::DeviceInfo& card : list.usable)
        text += " " + cuda::deviceText(card);
    return list.usable.empty() ? text + " none. " + list.missing : text;
}

/// Returns the result of `parse`; its Error becomes the option's.
template <typename Parse>
auto asOption(const char* option, const Parse& parse) {
    try {
        return parse();
    } catch (const Error& error) {
        throw CLI::ValidationError(option, error.what());
    }
}

/// Check for CLI11: why a report cannot have this file name; empty when it can.
std::string refusedReport(const std::string& text) {
    try {
        requireReportFile(text);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

/// Adds the options for curves over subsets.
void addCurveOptions(CLI::App& app, ScoreArguments& arguments) {
    app.option_defaults()->group("Curves (in the JSON output)");
    CLI::Option* badFraction =
        app.add_flag("--bad-fraction", arguments.badFraction,
                     "Every metric against the share of good samples replaced by bad ones: half of the real set by far "
                     "noise, unless told otherwise");
    addName(app, "--bad", arguments.bad, "Bad samples for --bad-fraction instead of noise")->needs(badFraction);
    app.add_flag("--sample-size", arguments.sampleSize, "Every metric against the number of samples, with its band");
    app.add_flag("--frontier", arguments.frontier,
                 "Clipped density and coverage as samples are removed: sparing those that alone cover a real sample, "
                 "by simple rankings, and at random");
    const auto refused = [](const std::string& column) {
        return canDiscardBy(column) ? std::string() : "expected a score of synthetic samples, found '" + column + "'";
    };
    addList(app, "--discard", arguments.discard,
            "Every metric as the worst samples by COLUMN are removed, beside random removal; once per column", "COLUMN")
        ->check(refused);
    addList(app, "--discard-useful", arguments.useful,
            "Utility and membership in the same way; slower, because each point trains a classifier", "COLUMN")
        ->check(refused);
}

/// Adds the options that export samples.
void addExportOptions(CLI::App& app, ScoreArguments& arguments) {
    app.option_defaults()->group("Samples that the rules keep or reject");
    CLI::Option* exports =
        app.add_option_function<std::vector<std::string>>(
               "--export",
               [&arguments](const std::vector<std::string>& texts) {
                   for (const std::string& text : texts)
                       arguments.exports.push_back(asOption("--export", [&] { return parseExport(text); }));
               },
               "Write the kept or the rejected samples, as what FILE ends in says: " + exportSuffixes() +
                   "; {model} stands for a model's name")
            ->type_name("kept|rejected=FILE")
            ->expected(1)
            ->take_all();
    addName(app, "--model", arguments.exportModel, "The model whose samples --export writes; without it, all", "NAME")
        ->needs(exports);
}

std::string readyNames() {
    return joined(readyRules(), ", ", &ReadyRule::id);
}

/// Check for CLI11: empty for an integer from `least` to `most`, else an error message.
auto wholeNumberFrom(std::uint32_t least, std::uint32_t most) {
    return [least, most](const std::string& text) {
        std::uint32_t number = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool fits = code == std::errc() && end == text.data() + text.size() && number >= least && number <= most;
        return fits ? std::string() : fmt::format("expected a whole number from {} to {}, found {}", least, most, text);
    };
}

/// Checks, before files are read, that the audit will compute the columns and metrics that options name.
void requireComputed(const ScoreArguments& arguments) {
    if (!arguments.open.empty()) // whose audit is not known yet
        return;
    const auto require = [&](const char* option, const std::string& name, ResultType needed) {
        if (needed == needs::kOneClass && !arguments.options.oneClass)
            throw CLI::ValidationError(option, name + ": expected with --one-class, which finds it");
        if (needed != needs::kTables && arguments.options.tablesOnly)
            throw CLI::ValidationError(option, name + ": expected without --quick, which leaves it out");
    };
    const auto requireColumn = [&](const char* option, const std::string& name) {
        if (const Column* column = findColumn(name)) // else a class, a tag or a figure from elsewhere
            require(option, name, column->needs);
    };
    for (const std::string& column : arguments.discard)
        requireColumn("--discard", column);
    for (const std::string& column : arguments.useful)
        requireColumn("--discard-useful", column);
    if (arguments.rules)
        for (const FilterRule& rule : arguments.rules->list)
            requireColumn("--rules", rule.column);
    for (const Requirement& requirement : arguments.requirements) {
        const bool isInterval = requirement.part != Requirement::Part::Value;
        if (const Metric* metric = findMetric(requirement.metric))
            require("--require", requirement.text,
                    isInterval && metric->needs == needs::kTables ? needs::kSamples : metric->needs);
    }
}

/// Combines the rules of files and predefined rules in the given order. `match` comes from the last file.
FilterRules rulesFrom(const std::vector<std::string>& texts) {
    FilterRules rules;
    for (const std::string& text : texts) {
        std::error_code ignored;
        const ReadyRule* ready = findReadyRule(text);
        if (ready != nullptr && !std::filesystem::exists(text, ignored)) {
            rules.list.push_back(ready->rule);
            continue;
        }
        if (!std::filesystem::exists(text, ignored))
            throw CLI::ValidationError("--rules", "expected a file or one of " + readyNames() + ", found " + text);
        const FilterRules file = asOption("--rules", [&] { return readRules(text); });
        rules.match = file.match;
        rules.list.insert(rules.list.end(), file.list.begin(), file.list.end());
    }
    return rules;
}

/// Adds the options for rules and for requirements.
void addRuleOptions(CLI::App& app, ScoreArguments& arguments) {
    app.option_defaults()->group("Rules and requirements");
    addList(app, "--rules", arguments.ruleFiles,
            "Score what these rules keep beside all samples and as many at random: a JSON file (docs/rules.md), "
            "or one of " +
                readyNames() + "; several add up",
            "FILE|NAME")
        ->check(someFile);
    app.add_option_function<std::vector<std::string>>(
           "--require",
           [&](const std::vector<std::string>& texts) {
               for (const std::string& text : texts)
                   arguments.requirements.push_back(asOption("--require", [&] { return parseRequirement(text); }));
           },
           "End with exit code 1 unless this holds for every model: METRIC>=NUMBER (or <=, >, <), METRIC.low, "
           "METRIC.high, kept.METRIC, MODEL:METRIC; once per requirement")
        ->type_name("CONDITION")
        ->expected(1)
        ->take_all();
    app.add_option_function<std::string>(
           "--external",
           [&](const std::string& file) {
               arguments.externalFile = file;
               arguments.external = asOption("--external", [&] { return readExternalScores(file); });
           },
           "Compare every metric with figures of the models from elsewhere, such as human error rates: a table with "
           "one "
           "row per model (docs/panels/agreement.md)")
        ->type_name("FILE")
        ->check(someFile);
    addList(app, "--sample-scores", arguments.sampleScores,
            "Add the columns of a table with one row per sample, such as a classifier's confidence or ratings, to the "
            "samples' scores; rules, exports and the window use them as external_NAME (docs/sample-scores.md); several "
            "add up",
            "FILE")
        ->check(someFile);
    addName(app, "--junit", arguments.junit, "Write what the requirements come to as JUnit XML");
    app.add_flag("--judge", arguments.judge,
                 "With --open: judge the samples again with this version's statistics, from the inputs of the file")
        ->needs("--open");
    addName(app, "--replay", arguments.replay,
            "Compute the audit of a file again from its inputs and compare every value; exit code 1 where one differs",
            "FILE.assay");
}

std::string compatNames() {
    return joined(compatPrograms(), ", ", &CompatProgram::id);
}

/// Options that name the input of an audit; only some can be combined.
struct InputOptions {
    CLI::Option* real;
    CLI::Option* models;
    CLI::Option* heldOut;
    CLI::Option* demo;
    CLI::Option* open;
};

InputOptions addInputOptions(CLI::App& app, ScoreArguments& arguments, std::vector<std::string>& synthetic) {
    CLI::Option* real =
        app.add_option("--real", arguments.real.embeddings,
                       "Real set: a file of embeddings (docs/formats.md), FILE.npz:KEY, a folder of pictures, or of "
                       "clips (FOLDER:clips for one sample a clip, FOLDER:frames for one a frame); or mean and "
                       "covariance alone (mu, sigma), for the Frechet distance")
            ->type_name("FILE");
    CLI::Option* models = addList(app, "--synthetic", synthetic, "Synthetic set, once per model", "[NAME=]FILE");
    CLI::Option* heldOut =
        addName(app, "--held-out", arguments.heldOut.embeddings,
                "Real samples that no model was trained on: what good samples score, and what copies are told by");
    CLI::Option* demo = app.add_flag("--demo", arguments.demo, "Score the built-in demo instead of files")
                            ->excludes(real, models, heldOut);
    CLI::Option* open = addName(app, "--open", arguments.open,
                                "Open an audit written with --out: show it, add models or curves", "FILE.assay")
                            ->excludes(real, heldOut, demo);
    return {real, models, heldOut, demo, open};
}

/// @return those that are fixed when an audit is first computed
std::vector<CLI::Option*> addAuditOptions(CLI::App& app, ScoreArguments& arguments) {
    CLI::Option* k = app.add_option("-k", arguments.options.k, "Neighbours that make a ball")
                         ->capture_default_str()
                         ->check(wholeNumberFrom(1, std::numeric_limits<std::uint32_t>::max()));
    CLI::Option* coverK = app.add_option("--cover-k", arguments.options.cover.k,
                                         "Precision and recall cover: samples of the other set that cover one")
                              ->capture_default_str()
                              ->check(wholeNumberFrom(1, 65536));
    CLI::Option* coverC =
        app.add_option("--cover-c", arguments.options.cover.c,
                       "Precision and recall cover: how many times as many of its own neighbours they have to be among")
            ->capture_default_str()
            ->check(wholeNumberFrom(1, 65536));
    CLI::Option* fdr =
        app.add_option("--fdr", arguments.options.falseDiscoveryRate,
                       "False discovery rate of the verdicts: the share of wrong ones to expect among them")
            ->capture_default_str()
            ->check([](const std::string& text) {
                double rate = 0.0;
                const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), rate);
                const bool fits = code == std::errc() && end == text.data() + text.size() && rate > 0.0 && rate < 1.0;
                return fits ? std::string() : "expected a number between 0 and 1, found " + text;
            })
            ->type_name("SHARE");
    app.add_option_function<std::string>(
           "--backend", [&](const std::string& text) { arguments.options.backend = parseBackend(text); },
           "How neighbours are found: " + backendList())
        ->default_str("auto")
        ->type_name("NAME");
    app.add_option("--threads", arguments.options.threads, "Worker threads; 0 for every core")
        ->capture_default_str()
        ->check(wholeNumberFrom(0, 4096));
    app.add_option_function<std::string>(
           "--memory-limit",
           [&](const std::string& text) {
               arguments.options.memoryLimit = asOption("--memory-limit", [&] { return parseBytes(text); });
           },
           "Memory to use, such as 800M or 4G: while files are read, and beyond the inputs for the audit; without it, "
           "what the machine has left")
        ->type_name("BYTES");
    CLI::Option* oneClass = app.add_flag("--one-class", arguments.options.oneClass,
                                         "Train the one-class embedding on the real set and evaluate in it too");
    CLI::Option* quick =
        app.add_flag("--quick", arguments.options.tablesOnly,
                     "Only what the neighbour passes tell: no intervals, nothing that reads the embeddings again")
            ->excludes(oneClass);
    return {k, coverK, coverC, fdr, oneClass, quick};
}

void addOutputOptions(CLI::App& app, ScoreArguments& arguments) {
    app.option_defaults()->group(CLI::OptionDefaults().get_group()); // under no heading of their own
    addName(app, "--json", arguments.json, "Write all aggregates as JSON; - for standard output", "FILE|-");
    addName(app, "--csv", arguments.csv,
            "Write every sample's scores: DIR/NAME.synthetic.csv, DIR/NAME.real.csv, DIR/held-out.csv", "DIR");
    addName(app, "--out", arguments.out, "Write the whole audit, to be opened again here or in the window",
            "FILE.assay");
    app.add_flag("--pack", arguments.pack, "With --out: embeddings and pictures, too; the file needs no others");
    app.add_option("--report", arguments.report,
                   "Write a report to read, to print or to hand on: a page that needs nothing else, or a section for a "
                   "model card")
        ->check([](const std::string& text) { return refusedReport(text); })
        ->type_name("FILE.html|.md");
    app.add_flag("--report-appendix", arguments.reportAppendix,
                 "With --report: also classes, holes, features, and the worst and most typical samples of each model");
    addName(app, "--statistics", arguments.statistics,
            "Write the real set's mean and covariance, as --real takes them in place of samples: mu and sigma",
            "FILE.npz");
    app.add_option("--page", arguments.page,
                   "Write a page to explore in a browser: plane, ranking, samples and distributions, linked; one file "
                   "that needs nothing else")
        ->check([](const std::string& text) {
            return text.ends_with(".html") || text.ends_with(".htm")
                       ? std::string()
                       : text + ": expected a page's name, which ends with .html or .htm";
        })
        ->type_name("FILE.html");
    app.add_option("--page-samples", arguments.pageSamples,
                   "Samples that the page holds at most: examples and flagged ones first, then random ones")
        ->capture_default_str()
        ->check(wholeNumberFrom(1, std::numeric_limits<std::uint32_t>::max()))
        ->needs("--page");
    app.add_option("--compat", arguments.compat,
                   "Also show the figures as a published program would give them: " + compatNames())
        ->check([](const std::string& name) {
            return findCompatProgram(name) != nullptr ? std::string()
                                                      : "expected one of " + compatNames() + ", found " + name;
        })
        ->type_name("NAME");
    app.add_flag("--quiet", arguments.quiet, "No progress, no notes and no table; --json has the notes");
}

/// Checks, before the audit runs, that requirements name models that it will have.
void requireNamedModels(const ScoreArguments& arguments) {
    if (arguments.synthetic.empty() || !arguments.open.empty()) // the demo's, or those of a file, are not known yet
        return;
    for (const Requirement& requirement : arguments.requirements)
        if (!requirement.model.empty() && std::ranges::find(arguments.synthetic, requirement.model,
                                                            &SyntheticArgument::name) == arguments.synthetic.end())
            throw CLI::ValidationError("--require", requirement.text + ": expected one of the models " +
                                                        joined(arguments.synthetic, ", ", &SyntheticArgument::name) +
                                                        ", found '" + requirement.model + "'");
}

/// Prints the help, the version or an error. By streams, which main() silences for all but one of several processes.
/// @return exit code
int printed(const CLI::App& app, const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream err;
    const int code = app.exit(error, out, err);
    std::cerr << withoutControls(err.str(), LineEnds::Kept);
    std::cout << out.str() << std::flush;
    if (code == 0 && !std::cout) {
        std::cerr << "assay-score: standard output: expected room to write, found none\n";
        return kLostInputExit;
    }
    return code == 0 ? 0 : kUsageExit;
}

/// Refuses options that do not go together. @param preparation options of addPreparationOptions()
void requireConsistent(const ScoreArguments& arguments, const std::vector<CLI::Option*>& preparation) {
    const bool replays = !arguments.replay.empty();
    const bool exports = !arguments.exports.empty();
    const auto refuseIf = [](bool wrong, const std::string& option, const char* expectedAndFound) {
        if (wrong)
            throw CLI::ValidationError(option, expectedAndFound);
    };
    refuseIf(replays && (!arguments.real.embeddings.empty() || !arguments.open.empty() || arguments.demo), "--replay",
             "expected by itself, found another audit beside it");
    for (const CLI::Option* option : preparation)
        refuseIf(replays && option->count() > 0, option->get_name(),
                 "expected without --replay, which takes files as recorded");
    const bool fromFiles = !arguments.demo && arguments.open.empty() && !replays;
    refuseIf(!arguments.junit.empty() && arguments.requirements.empty(), "--junit",
             "expected with --require, found nothing to write");
    if (fromFiles && arguments.real.embeddings.empty())
        throw CLI::RequiredError("--real");
    if (fromFiles && arguments.synthetic.empty())
        throw CLI::RequiredError("--synthetic");
    if (arguments.options.backend == BackendChoice::Cuda && cuda::deviceList().usable.empty())
        throw CLI::ValidationError("--backend",
                                   "cuda: expected a graphics card, found none. " + cuda::deviceList().missing);
    refuseIf(arguments.wantCurves() && !arguments.showCurves(), "--json",
             "expected, or --out, with --bad-fraction, --sample-size or --discard, whose curves they hold "
             "(--report: of bad fractions); found none");
    refuseIf(arguments.quiet && !arguments.hasOutput() && arguments.requirements.empty() && !replays, "--quiet",
             "expected with --json, --csv, --out, --report, --page, --export or --require, found nothing to write");
    refuseIf(exports && !arguments.rules && arguments.open.empty(), "--export",
             "expected with --rules or --open, which decide which samples are kept, found neither");
    refuseIf(std::ranges::any_of(arguments.requirements, &Requirement::kept) && !arguments.rules &&
                 arguments.open.empty(),
             "--require",
             "kept.METRIC: expected with --rules or --open, which decide which samples are kept, found "
             "neither");
    refuseIf(exports && replays, "--export", "expected without --replay, which only compares");
    requireComputed(arguments);
    refuseIf(arguments.reportAppendix && arguments.report.empty(), "--report-appendix",
             "expected with --report, found none");
    refuseIf(arguments.pack && arguments.out.empty(), "--pack",
             "expected with --out, which names the file; found none");
}

} // namespace

std::string backendName(BackendChoice choice) {
    const std::vector<BackendName> names = backendNames();
    return findBy(names, &BackendName::choice, choice)->name;
}

std::optional<ScoreArguments> parseScoreArguments(int argc, char** argv, int& exitCode) {
    ScoreArguments arguments;
    arguments.options.makeSearch = makeNeighborSearch;
    CLI::App app{"Scores every sample of synthetic sets against a real set.\n"
                 "Exit codes: 0 done, 1 a requirement is not met or a record does not hold, 2 usage, 3 bad input, 4 "
                 "not enough memory or threads, 130 interrupted (Ctrl+C), 143 ended (SIGTERM).\n",
                 "assay-score"};
    app.set_version_flag("--version", std::string("assay-score ") + kVersion);
    std::vector<std::string> synthetic;
    const InputOptions inputs = addInputOptions(app, arguments, synthetic);
    std::vector<CLI::Option*> fixed = addAuditOptions(app, arguments);
    SetOptions sets(app, arguments);
    for (CLI::Option* one : {inputs.real, inputs.models, inputs.heldOut, inputs.demo, inputs.open})
        sets.manifest->excludes(one);
    addCurveOptions(app, arguments);
    addExportOptions(app, arguments);
    addRuleOptions(app, arguments);
    const std::vector<CLI::Option*> preparation = addPreparationOptions(app, arguments);
    fixed.insert(fixed.end(), preparation.begin(), preparation.end());
    for (CLI::Option* option : preparation)
        inputs.demo->excludes(option);
    for (CLI::Option* decided : fixed)
        inputs.open->excludes(decided);
    addOutputOptions(app, arguments);
    app.footer(cardsText);
    try {
        app.parse(argc, argv);
        if (!arguments.ruleFiles.empty())
            arguments.rules = rulesFrom(arguments.ruleFiles);
        if (!arguments.manifest.empty())
            takeManifest(arguments);
        for (const std::string& text : synthetic)
            arguments.synthetic.push_back(parseSynthetic(text));
        requireConsistent(arguments, preparation);
        if (!synthetic.empty())
            makeUnique(arguments.synthetic, synthetic);
        requireNamedModels(arguments);
        sets.apply(arguments);
        // Nothing else uses the neighbour lists in this case, so the neighbours that the metrics need are enough.
        if (arguments.options.tablesOnly && !arguments.wantCurves() && arguments.compat.empty() &&
            arguments.out.empty() && !arguments.rules)
            arguments.options.storedNeighbors = 0;
    } catch (const CLI::ParseError& error) {
        exitCode = printed(app, error);
        return std::nullopt;
    } catch (const Error& error) { // from a manifest
        std::cerr << "assay-score: " << withoutControls(error.what()) << '\n';
        exitCode = kLostInputExit;
        return std::nullopt;
    }
    return arguments;
}

} // namespace assay

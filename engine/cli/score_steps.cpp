#include "engine/cli/score_steps.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/cli/cluster_score.h"
#include "engine/cli/export_step.h"
#include "engine/data/embedding_set.h"
#include "engine/demo/demo.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/sets/group_source.h"
#include "engine/io/sets/python_converter.h"
#include "engine/io/sets/set_preview.h"
#include "engine/report/page/explore_page.h"
#include "engine/report/scores/json_parts.h"
#include "engine/report/scores/score_output.h"
#include "engine/store/audit_file.h"
#include "engine/store/replay.h"
#include "engine/version.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

namespace assay {
namespace {

void convert(SetFiles& files, const ScoreArguments& arguments, const JobContext& job) {
    if (files.embeddings.empty() || !needsPython(files.embeddings) ||
        (isReadInPart(files.embeddings) && arguments.python.empty()))
        return;
    PythonConverter converter = installedConverter(arguments.python);
    if (converter.python.empty()) {
        converter.python = "python3";
        throw Error(ErrorKind::BadInput,
                    files.embeddings +
                        ": expected a file that Assay reads itself, found one for a library of Python; "
                        "with --python python3 this is run first, and its result kept: " +
                        conversionCommand(converter, files.embeddings));
    }
    if (!arguments.quiet)
        printMessage("assay-score: note", "running " + printable(conversionCommand(converter, files.embeddings), 2000));
    files = convertedByPython(std::move(files), converter, job);
}

/// The arguments with files that only Python's libraries read replaced by what the Python of --python makes of them.
/// Says on standard error what it runs, unless quiet.
/// @throws Error{BadInput} without --python, saying what it would run; as convertedByPython()
ScoreArguments withPythonFiles(ScoreArguments arguments, const JobContext& job) {
    convert(arguments.real, arguments, job);
    for (SyntheticArgument& model : arguments.synthetic)
        convert(model.files, arguments, job);
    convert(arguments.heldOut, arguments, job);
    return arguments;
}

/// The arguments with the column of --groups assigned to the sets that have it.
/// @throws Error{BadInput} as takeCommonGroups()
ScoreArguments withGroupColumn(ScoreArguments arguments) {
    if (arguments.groups.empty())
        return arguments;
    const std::string& column = arguments.groups;
    if (column == kGroupsOfIds && !arguments.real.embeddings.empty() && !hasGroupColumn(arguments.real, column)) {
        // Those of real samples: what a model's samples are called says nothing unless somebody says so.
        for (SetFiles* files : {&arguments.real, &arguments.heldOut})
            if (files->groups.empty() && !files->embeddings.empty())
                files->groups = column;
        return arguments;
    }
    std::vector<SetFiles*> others{&arguments.heldOut};
    for (SyntheticArgument& model : arguments.synthetic)
        others.push_back(&model.files);
    takeCommonGroups(arguments.groups, arguments.real, others, arguments.choice);
    return arguments;
}

constexpr int kBadInputExit = kLostInputExit;
constexpr int kNotEnoughMemoryExit = 4;
constexpr int kNotMetExit = 1;

/// The share of a set that one rank holds.
std::shared_ptr<const EmbeddingSet> shareOf(const EmbeddingSet& whole, const RowShare& share) {
    const RowRange held = share.of(whole.rows());
    EmbeddingParts parts;
    const float* first = whole.matrix().rowData(held.first);
    parts.values = FloatStorage(std::vector<float>(first, first + held.count * whole.dim()));
    parts.rows = whole.rows();
    parts.dim = whole.dim();
    parts.held = held;
    parts.labels = whole.labels();
    parts.groups = whole.groups();
    parts.source = whole.source();
    parts.name = whole.name();
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

AuditRequest loadDemo(const RowShare& share, const JobContext& job) {
    const Demo demo = makeDemo(job);
    const auto held = [&](const std::shared_ptr<const EmbeddingSet>& set) {
        return share.parts > 1 ? shareOf(*set, share) : set;
    };
    AuditRequest request;
    request.real = held(demo.real);
    for (const auto& model : demo.models)
        request.models.push_back({model->name(), held(model)});
    return request;
}

/// Settings for reading files. Large files are mapped: this program runs only for minutes, checks at the end that the
/// files are unchanged, and handles shortened files (exitOnLostInput). With several processes, files of any size are
/// mapped, so that each process reads only its rows.
/// @param preparation of the real set, for a set that will be compared with it
ReadOptions readingOf(const ScoreArguments& arguments, const RowShare& rows = {},
                      const PreparationPtr& preparation = {}) {
    ReadOptions options;
    options.mapFrom = rows.parts > 1 ? 0 : ReadOptions::mapLargeFiles;
    options.threads = arguments.options.threads;
    options.share = rows;
    options.choice = arguments.choice;
    options.preparation = preparation;
    return options;
}

/// Reads the inputs of an audit file with the recorded preparation.
InputReader inputReader(const ScoreArguments& arguments) {
    return [&arguments](const SetFiles& files, const PreparationPtr& preparation, const JobContext& job) {
        return readSet(files, job, readingOf(arguments, {}, preparation));
    };
}

std::vector<SetFiles> allFiles(const ScoreArguments& arguments) {
    std::vector<SetFiles> all{arguments.real};
    for (const SyntheticArgument& model : arguments.synthetic)
        all.push_back(model.files);
    if (!arguments.heldOut.embeddings.empty())
        all.push_back(arguments.heldOut);
    return all;
}

AuditRequest loadFiles(const ScoreArguments& arguments, const RowShare& rows, const JobContext& job) {
    const double share =
        1.0 / static_cast<double>(arguments.synthetic.size() + (arguments.heldOut.embeddings.empty() ? 1 : 2));
    AuditRequest request;
    ReadOptions ofReal = readingOf(arguments, rows);
    ofReal.choice = completedChoice(arguments.choice, allFiles(arguments), job);
    request.real = readSet(arguments.real, job.part({}, 0.0, share), ofReal);
    const ReadOptions options = readingOf(arguments, rows, request.real->preparation());
    for (std::size_t m = 0; m < arguments.synthetic.size(); ++m) {
        const SyntheticArgument& model = arguments.synthetic[m];
        const double begin = share * static_cast<double>(m + 1);
        request.models.push_back({model.name, readSet(model.files, job.part({}, begin, begin + share), options)});
    }
    if (!arguments.heldOut.embeddings.empty())
        request.heldOut = readSet(arguments.heldOut, job.part({}, 1.0 - share, 1.0), options);
    return request;
}

/// The held-out set's table; its name cannot be equal to that of a model's table.
std::string heldOutCsvFile(const std::string& folder) {
    return (std::filesystem::path(folder) / "held-out.csv").string();
}

void addCsv(const AuditResult& audit, const ScoreArguments& arguments, AtomicFiles& files) {
    const std::string& folder = arguments.csv;
    // For an opened audit the names are known only now.
    OutputFiles(arguments).addTables(folder, collected(audit.models, [](const auto& model) { return model->name; }));
    for (const auto& model : audit.models) {
        files.add(csvFile(folder, model->name, Side::Synthetic), syntheticScoresAsCsv(audit, *model));
        files.add(csvFile(folder, model->name, Side::Real), realScoresAsCsv(audit, *model));
    }
    if (audit.heldOut)
        files.add(heldOutCsvFile(folder), syntheticScoresAsCsv(audit, *audit.heldOut->audit));
}

/// Checks that a file may be written, if there is one: its folder must exist.
void requireRoomFor(const std::string& file) {
    namespace fs = std::filesystem;
    if (file.empty())
        return;
    std::error_code ignored;
    const fs::path folder = fs::absolute(file, ignored).parent_path();
    if (!fs::is_directory(folder, ignored))
        throw Error(ErrorKind::WriteFailed, file + ": expected the folder " + folder.string() + ", found none");
    const AtomicFile canBeBegun(file);
}

/// An audit file that is opened and written again keeps its history and packed inputs.
AuditFileOptions auditFileOptions(const ScoreArguments& arguments, const JobContext& job) {
    AuditFileOptions options;
    if (!arguments.open.empty())
        options = {inputDataOf(arguments.open, job), readHistory(arguments.open, job)};
    if (arguments.pack)
        options.inputs = InputData::Packed;
    append(options.history, utcText(std::chrono::system_clock::now()),
           std::string("Written by assay-score ") + kVersion);
    return options;
}

int exitCodeOf(ErrorKind kind) {
    return kind == ErrorKind::NotEnoughMemory ? kNotEnoughMemoryExit : kBadInputExit;
}

} // namespace

std::shared_ptr<const AuditResult> openAudit(const ScoreArguments& arguments, const JobContext& job) {
    const MemoryLimit limit(arguments.options.memoryLimit);
    const double opened = arguments.synthetic.empty() && !arguments.judge ? 1.0 : 0.1;
    auto audit = readAuditFile(arguments.open, job.part({}, 0.0, opened), inputReader(arguments));
    if (arguments.judge)
        audit = judgeAgain(*audit, arguments.options, job.part({}, opened, arguments.synthetic.empty() ? 1.0 : 0.5));
    const ReadOptions reading = readingOf(arguments, {}, audit->real->set->preparation());
    std::vector<AuditModel> models;
    const ScoreArguments given = withGroupColumn(withPythonFiles(arguments, job.silent()));
    for (const SyntheticArgument& model : given.synthetic)
        models.push_back({model.name, readSet(model.files, job.part({}, opened, opened), reading)});
    return models.empty() ? audit
                          : addModels(*audit, models, optionsOf(*audit, arguments.options), job.part({}, opened, 1.0));
}

AuditRequest load(const ScoreArguments& arguments, const RowShare& share, const JobContext& job) {
    const MemoryLimit limit(arguments.options.memoryLimit);
    AuditRequest request =
        arguments.demo ? loadDemo(share, job) : loadFiles(withGroupColumn(withPythonFiles(arguments, job)), share, job);
    request.options = arguments.options;
    return request;
}

CurveRequest loadCurves(const ScoreArguments& arguments, const EmbeddingSet& real, const JobContext& job) {
    CurveRequest curves;
    curves.sampleSize = arguments.sampleSize;
    curves.discard = arguments.discard;
    curves.useful = arguments.useful;
    curves.frontier = arguments.frontier;
    if (!arguments.badFraction)
        return curves;
    curves.badFraction.emplace();
    // Checked before the audit, because a later error would lose its scores.
    if (arguments.heldOut.embeddings.empty() && real.rows() / 2 <= arguments.options.k)
        throw Error(ErrorKind::BadInput, "--bad-fraction: half of " + real.name() +
                                             ": expected more than k = " + std::to_string(arguments.options.k) +
                                             " rows, found " + std::to_string(real.rows() / 2));
    if (arguments.bad.empty())
        return curves;
    const MemoryLimit limit(arguments.options.memoryLimit);
    curves.badFraction->bad = readEmbeddings(arguments.bad, job, readingOf(arguments, {}, real.preparation()));
    requireComparable(real, *curves.badFraction->bad);
    requireMoreThan(arguments.options.k, *curves.badFraction->bad);
    return curves;
}

std::vector<CompatResult> compatOf(const AuditResult& audit, const ScoreArguments& arguments, const JobContext& job) {
    if (arguments.compat.empty())
        return {};
    return computeCompat(audit, *findCompatProgram(arguments.compat), optionsOf(audit, arguments.options), job);
}

void writeOutputs(const AuditResult& audit, const ScoreArguments& arguments, std::span<const CompatResult> compat,
                  std::span<const KeptAudit> kept, const JobContext& job) {
    const std::string reported =
        arguments.report.empty()
            ? std::string()
            : reportText(audit, reportParts(audit, arguments, {kept.begin(), kept.end()}), arguments.report, job);
    std::optional<OutputFolder> folder;
    if (!arguments.csv.empty())
        folder.emplace(arguments.csv);
    if (!arguments.out.empty()) {
        const Decisions decisions = decisionsFor(audit, arguments, job);
        writeAuditFile(audit, arguments.out, job, &decisions, auditFileOptions(arguments, job));
    }
    AtomicFiles files; // declared here so that it is destroyed before the folder
    std::string json = arguments.json.empty() ? std::string() : scoresAsJson(audit, compat);
    if (!json.empty() && !kept.empty())
        json = withKeptAsJson(json, decisionsFor(audit, arguments, job).rules, kept);
    const ExternalScores external = decisionsFor(audit, arguments, job).external;
    if (!json.empty() && !external.empty())
        json = withExternalAsJson(json, audit, external);
    if (arguments.json == "-")
        printText(json);
    else if (!arguments.json.empty())
        files.add(arguments.json, std::move(json));
    if (!arguments.report.empty())
        files.add(arguments.report, reported);
    if (!arguments.csv.empty())
        addCsv(audit, arguments, files);
    files.commit();
    if (!arguments.page.empty())
        writeExplorePage(audit, {arguments.pageSamples}, arguments.page, job);
    if (!arguments.quiet && arguments.json != "-")
        printText(scoresAsTable(audit) + compatAsTable(audit, compat) +
                  keptAsTable(audit, decisionsFor(audit, arguments, job).rules, kept) +
                  externalAsText(audit, external));
}

Decisions decisionsFor(const AuditResult& audit, const ScoreArguments& arguments, const JobContext& job) {
    Decisions decisions = arguments.open.empty() ? Decisions{} : readDecisions(arguments.open, audit, job);
    if (arguments.rules)
        decisions.rules = *arguments.rules;
    if (!arguments.external.empty())
        decisions.external = arguments.external;
    if (audit.sampleScores)
        decisions.sampleScores = *audit.sampleScores;
    return decisions;
}

std::vector<KeptAudit> keptOf(const AuditResult& audit, const ScoreArguments& arguments, const JobContext& job) {
    const bool required = std::ranges::any_of(arguments.requirements, &Requirement::kept);
    const Decisions decisions = decisionsFor(audit, arguments, job);
    const bool decided = !decisions.rules.empty() || !decisions.rejectedByHand.empty();
    if (!arguments.rules && !required && !(decided && !arguments.report.empty()))
        return {};
    std::vector<KeptAudit> kept;
    for (std::size_t m = 0; m < audit.models.size(); ++m)
        kept.push_back(
            auditKept(audit, m, filterOf(decisions, m), arguments.options, job.step(m, audit.models.size())));
    return kept;
}

ReportParts reportParts(const AuditResult& audit, const ScoreArguments& arguments, std::vector<KeptAudit> kept) {
    ReportParts parts;
    if (arguments.report.empty())
        return parts;
    parts.replayCommand = replayCommand(audit, arguments.open);
    parts.appendix = arguments.reportAppendix ? Appendix::Written : Appendix::LeftOut;
    const Decisions decisions = decisionsFor(audit, arguments);
    parts.external = decisions.external;
    for (std::size_t m = 0; m < kept.size(); ++m)
        if (const SampleFilter filter = filterOf(decisions, m); filter.decides())
            parts.decided.push_back(keptSamples(audit, m, filter, std::move(kept[m])));
    return parts;
}

int exitCodeOfRequirements(const AuditResult& audit, const ScoreArguments& arguments, std::span<const KeptAudit> kept) {
    const std::vector<RequirementOutcome> outcomes = checkRequirements(audit, arguments.requirements, kept);
    if (!arguments.junit.empty())
        writeFileAtomically(arguments.junit, outcomesAsJunit(outcomes));
    bool met = true;
    for (const RequirementOutcome& outcome : outcomes)
        if (!outcome.met) {
            met = false;
            printMessage("assay-score", outcome.sentence);
        }
    return met ? 0 : kNotMetExit;
}

int replay(const ScoreArguments& arguments, ProgressBar& bar, const JobContext& job) {
    const auto record = [&] {
        const MemoryLimit limit(arguments.options.memoryLimit);
        return readAuditFile(arguments.replay, job.part({}, 0.0, 0.1), inputReader(arguments));
    }();
    const ReplayResult result =
        compareWithRecord(*record, *recompute(*record, arguments.options, job.part({}, 0.1, 1.0)));
    bar.wipe();
    if (!arguments.quiet)
        printText(replayText(result));
    return result.holds() ? 0 : kNotMetExit;
}

void checkOutputs(const ScoreArguments& arguments) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const bool kept = arguments.rules || std::ranges::any_of(arguments.requirements, &Requirement::kept);
    if (isOneOfSeveral() && (kept || !arguments.replay.empty()))
        throw Error(ErrorKind::InvalidArgument,
                    "--rules, --replay and kept scores: expected one process, found several");
    if (!arguments.out.empty() && isOneOfSeveral())
        throw Error(ErrorKind::InvalidArgument, "--out: expected one process, found several; --json can be written");
    OutputFiles files(arguments);
    const std::string json = arguments.json == "-" ? std::string() : arguments.json;
    for (const auto& [what, file] :
         {std::pair("--out", arguments.out), std::pair("--json", json), std::pair("--report", arguments.report),
          std::pair("--page", arguments.page), std::pair("--junit", arguments.junit),
          std::pair("--statistics", arguments.statistics)}) {
        files.add(what, file);
        requireRoomFor(file);
    }
    if (!arguments.out.empty())
        static_cast<void>(AtomicFile(arguments.out).temporaryName()); // a database cannot be written to a stream
    const std::vector<std::string> models = collected(arguments.synthetic, &SyntheticArgument::name);
    files.addTables(arguments.csv, models);
    if (!arguments.csv.empty()) {
        files.add("--csv (held-out samples)",
                  arguments.heldOut.embeddings.empty() ? std::string() : heldOutCsvFile(arguments.csv));
        requireFolder(arguments.csv);
        for (const std::string& model : fs::exists(arguments.csv, ignored) ? models : std::vector<std::string>())
            const AtomicFile canBeBegun(csvFile(arguments.csv, model, Side::Synthetic));
    }
    checkExports(arguments, files);
}

void printNotes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes)
        printMessage("assay-score: note", note);
}

void printNotes(const AuditRequest& request) {
    const auto printFor = [](const EmbeddingSet& set) { printNotes(set.source().notes); };
    printFor(*request.real);
    for (const AuditModel& model : request.models)
        printFor(*model.set);
    if (!request.heldOut)
        return;
    printFor(*request.heldOut);
    const SourceInfo& heldOut = request.heldOut->source();
    const SourceInfo& real = request.real->source();
    if (heldOut.sha256 == real.sha256 && heldOut.key == real.key)
        printMessage("assay-score: note",
                     heldOut.file +
                         ": expected samples that are not in the real set, found the real set itself: it tells "
                         "no copies and no false alarms");
}

JobOutcome outcomeOf(const Interrupt& interrupt, const std::function<int()>& work) {
    try {
        return {work(), {}};
    } catch (const Cancelled&) {
        return {interrupt.exitCode(), "interrupted"};
    } catch (const Error& error) {
        return {exitCodeOf(error.kind()), error.what()};
    } catch (const std::bad_alloc&) {
        return {kNotEnoughMemoryExit, "not enough memory for these sets"};
    } catch (const std::system_error& error) {
        if (error.code() != std::errc::resource_unavailable_try_again)
            return {kBadInputExit, error.what()};
        return {kNotEnoughMemoryExit, "expected a thread more, found that the system has none to give"};
    } catch (const std::exception& error) { // a library's message is better than none or an abort
        return {kBadInputExit, error.what()};
    }
}

int printOutcome(const JobOutcome& outcome, ProgressBar& bar) {
    bar.wipe();
    if (!outcome.message.empty())
        printMessage("assay-score", outcome.message);
    return outcome.exitCode;
}

double loadingShare(const ScoreArguments& arguments) {
    if (!arguments.open.empty())
        return arguments.synthetic.empty() ? 0.5 : 0.95;
    return arguments.demo ? 0.5 : 0.03;
}

} // namespace assay

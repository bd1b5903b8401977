#include "engine/cli/export_step.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/cli/cluster_score.h"
#include "engine/cli/score_arguments.h"
#include "engine/cli/score_steps.h"
#include "engine/io/files/refusal.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/report/samples/export_formats.h"
#include "engine/report/samples/export_samples.h"
#include "engine/store/decisions.h"

#include <algorithm>
#include <system_error>
#include <unistd.h>

namespace assay {
namespace {

namespace fs = std::filesystem;

/// Normalised path of a file, so that equal files compare equal, even when they do not exist yet.
fs::path oneSpelling(const std::string& file) {
    std::error_code ignored;
    const fs::path absolute = fs::absolute(file, ignored);
    const fs::path canonical = fs::weakly_canonical(absolute, ignored);
    return canonical.empty() ? absolute.lexically_normal() : canonical;
}

/// Whether a file that exists lies in a folder or below it.
bool isFileOf(const fs::path& folder, const std::string& file) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored) || !fs::is_regular_file(file, ignored))
        return false;
    const fs::path relative = oneSpelling(file).lexically_relative(oneSpelling(folder.string()));
    return !relative.empty() && *relative.begin() != "..";
}

} // namespace

OutputFiles::OutputFiles(const ScoreArguments& arguments)
    : inputs_{arguments.bad, arguments.replay, arguments.manifest, arguments.externalFile} {
    inputs_.insert(inputs_.end(), arguments.ruleFiles.begin(), arguments.ruleFiles.end());
    inputs_.insert(inputs_.end(), arguments.sampleScores.begin(), arguments.sampleScores.end());
    const auto add = [this](const SetFiles& files) {
        inputs_.insert(inputs_.end(), {files.embeddings, files.pictures, files.labels, files.groups});
    };
    add(arguments.real);
    add(arguments.heldOut);
    for (const SyntheticArgument& model : arguments.synthetic)
        add(model.files);
    if (arguments.open != arguments.out) // an opened audit file may be written again
        inputs_.push_back(arguments.open);
}

void OutputFiles::add(const std::string& what, const std::string& file) {
    if (file.empty())
        return;
    const auto refuse = [&](const std::string& found) {
        throw Error(ErrorKind::WriteFailed,
                    printable(file, 400) + ": expected a file of its own for " + what + ", found " + found);
    };
    std::error_code ignored;
    for (const std::string& input : inputs_) {
        if (input.empty())
            continue;
        const std::string given = parseFileSpec(input).file;
        if (fs::equivalent(file, given, ignored))
            refuse("an input");
        if (isFileOf(given, file))
            refuse("a file of the input " + printable(given, 400));
    }
    if (isStream(file)) // a stream may serve several outputs
        return;
    const auto [other, added] = taken_.emplace(oneSpelling(file), what);
    if (!added)
        refuse("that of " + other->second);
}

void OutputFiles::addTables(const std::string& folder, const std::vector<std::string>& models) {
    if (folder.empty())
        return;
    for (const std::string& model : models)
        for (const Side side : {Side::Synthetic, Side::Real})
            add("--csv (model " + inQuotes(model) + ")", csvFile(folder, model, side));
}

void requireFolder(const std::string& folder) {
    std::error_code ignored;
    fs::path there = fs::absolute(folder, ignored);
    while (!fs::exists(there, ignored) && there.has_relative_path())
        there = there.parent_path();
    if (!fs::is_directory(there, ignored))
        throw Error(ErrorKind::WriteFailed, folder + ": expected a folder, found the file " + there.string());
    if (::access(there.c_str(), W_OK | X_OK) != 0)
        throw Error(ErrorKind::WriteFailed, folder + ": expected a folder to write to, found that " + there.string() +
                                                " may not be written to");
}

OutputFolder::OutputFolder(const std::string& folder) : folder_(folder) {
    std::error_code code;
    made_ = std::filesystem::create_directories(folder, code);
    if (code)
        throw Error(ErrorKind::WriteFailed, folder + ": expected a folder to write to, found: " + code.message());
}

OutputFolder::~OutputFolder() {
    std::error_code inUse;
    if (made_)
        std::filesystem::remove(folder_, inUse);
}

std::string csvFile(const std::string& folder, std::string model, Side side) {
    std::ranges::replace(model, '/', '_');
    model += side == Side::Synthetic ? ".synthetic.csv" : ".real.csv";
    return (fs::path(folder) / model).string();
}

namespace {

constexpr std::string_view kModelPlace = "{model}";

/// One file to write, with the samples of one model.
struct PlannedExport {
    ExportRequest request;
    std::string file;
};

std::string withModel(std::string file, const std::string& name) {
    for (std::size_t at = file.find(kModelPlace); at != std::string::npos;
         at = file.find(kModelPlace, at + name.size()))
        file.replace(at, kModelPlace.size(), name);
    return file;
}

/// Indices of the models to export.
std::vector<std::size_t> chosenModels(const ScoreArguments& arguments, const std::vector<std::string>& names) {
    std::vector<std::size_t> models;
    for (std::size_t m = 0; m < names.size(); ++m)
        if (arguments.exportModel.empty() || names[m] == arguments.exportModel)
            models.push_back(m);
    if (!models.empty())
        return models;
    throw Error(ErrorKind::InvalidArgument,
                "--model: expected one of " + joined(names, ", ") + ", found " + arguments.exportModel);
}

std::vector<PlannedExport> plan(const ScoreArguments& arguments, const std::vector<std::string>& names) {
    const std::vector<std::size_t> models = chosenModels(arguments, names);
    const std::vector<std::string> safe = fileNamesOf(names, "");
    std::vector<PlannedExport> planned;
    for (const ExportArgument& wanted : arguments.exports) {
        if (models.size() > 1 && wanted.file.find(kModelPlace) == std::string::npos)
            throw Error(ErrorKind::InvalidArgument, "--export " + wanted.file +
                                                        ": expected {model} in the name, or "
                                                        "--model NAME, found " +
                                                        std::to_string(models.size()) + " models and one file");
        for (const std::size_t model : models)
            planned.push_back({{wanted.what, {}, {model}, wanted.format}, withModel(wanted.file, safe[model])});
    }
    return planned;
}

/// The exports, once it is known that every one of them can be written.
std::vector<PlannedExport> checkedPlan(const ScoreArguments& arguments, const std::vector<std::string>& names,
                                       OutputFiles& files) {
    std::vector<PlannedExport> planned = plan(arguments, names);
    for (const PlannedExport& one : planned)
        files.add("--export", one.file);
    for (const PlannedExport& one : planned)
        if (findExportFormat(one.request.format)->isFolder())
            requireNewFolder(one.file);
        else
            const AtomicFile canBeBegun(one.file);
    return planned;
}

std::vector<SampleFilter> decidedFilters(const AuditResult& audit, const ScoreArguments& arguments) {
    const Decisions decisions = decisionsFor(audit, arguments);
    std::vector<SampleFilter> filters;
    for (std::size_t m = 0; m < audit.models.size(); ++m)
        filters.push_back(filterOf(decisions, m));
    return filters;
}

} // namespace

ExportArgument parseExport(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string what = text.substr(0, equals);
    if (equals == std::string::npos || (what != "kept" && what != "rejected") || equals + 1 == text.size())
        throw Error(ErrorKind::InvalidArgument, "expected kept=FILE or rejected=FILE, found " + text);
    const std::string file = text.substr(equals + 1);
    const ExportFormat* format = exportFormatOf(file);
    if (format == nullptr)
        throw Error(ErrorKind::InvalidArgument, "expected a file that ends in " + exportSuffixes() + ", found " + file);
    return {what == "kept" ? ExportWhat::Kept : ExportWhat::Rejected, file, std::string(format->id)};
}

std::string exportSuffixes() {
    return joined(exportFormats(), " ", &ExportFormat::suffix);
}

void checkExports(const ScoreArguments& arguments, OutputFiles& files) {
    if (arguments.exports.empty())
        return;
    if (isOneOfSeveral())
        throw Error(ErrorKind::InvalidArgument, "--export: expected one process, found several; write the scores with "
                                                "--csv");
    if (arguments.demo || !arguments.open.empty())
        return; // the models of the file are not known yet
    checkedPlan(arguments, collected(arguments.synthetic, &SyntheticArgument::name), files);
}

std::string writeExports(const AuditResult& audit, const ScoreArguments& arguments, const JobContext& job) {
    if (arguments.exports.empty())
        return {};
    const std::vector<std::string> names = collected(audit.models, [](const auto& model) { return model->name; });
    OutputFiles files(arguments);
    const std::vector<PlannedExport> planned = checkedPlan(arguments, names, files);
    const std::vector<SampleFilter> filters = decidedFilters(audit, arguments);
    for (const auto& [request, file] : planned) { // before the first one is written
        const std::size_t model = request.models.front();
        if (findExportFormat(request.format)->needsSamples &&
            ExportedSamples(audit, model, filters[model], request).rows().empty())
            throw Error(ErrorKind::InvalidArgument, file + ": expected at least one sample to write, found none");
    }
    std::string written;
    for (std::size_t i = 0; i < planned.size(); ++i) {
        const auto& [request, file] = planned[i];
        const std::size_t samples =
            exportSamples(audit, request, filters, file, job.step(i, planned.size(), "Writing " + file));
        const ModelAudit& model = *audit.models[request.models.front()];
        written += file + ": " + std::to_string(samples) + " of " + std::to_string(model.set->rows()) + " samples of " +
                   model.name + "\n";
    }
    return written;
}

} // namespace assay

#include "engine/report/samples/export_samples.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/io/files/refusal.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/report/samples/export_formats.h"
#include "engine/report/samples/exported_samples.h"
#include "engine/report/samples/file_names.h"
#include "engine/store/audit_file.h"
#include "engine/subsets/rules/filter.h"

namespace assay {
namespace {

const ExportFormat& formatOf(const ExportRequest& request) {
    if (const ExportFormat* format = findExportFormat(request.format))
        return *format;
    throw Error(ErrorKind::InvalidArgument, "the format of an export: expected " +
                                                joined(exportFormats(), ", ", &ExportFormat::id) + ", found " +
                                                request.format);
}

std::string_view wordFor(ExportWhat what) {
    if (what == ExportWhat::Listed)
        return "samples";
    return what == ExportWhat::Kept ? "kept" : "rejected";
}

/// Ending after the model's name: ".kept.csv"; "-kept" for a folder.
std::string endingOf(const ExportRequest& request) {
    const ExportFormat& format = formatOf(request);
    const std::string which(wordFor(request.what));
    return format.isFolder() ? "-" + which : "." + which + std::string(format.suffix);
}

/// The same error, with the target's name instead of the temporary folder's name.
Error withTargetName(const std::string& target, const std::string& temporary, const Error& error) {
    std::string text = error.what();
    if (const std::size_t at = text.find(temporary); at != std::string::npos)
        text.replace(at, temporary.size(), target);
    return {error.kind(), text};
}

/// @return number of samples written
std::size_t writeModels(const AuditResult& audit, const ExportRequest& request, std::span<const SampleFilter> filters,
                        const std::filesystem::path& file, const JobContext& job) {
    const ExportFormat& format = formatOf(request);
    std::vector<std::string> names;
    for (const std::size_t model : request.models)
        names.push_back(audit.models.at(model)->name);
    names = fileNamesOf(names, endingOf(request));
    AtomicFolder folder(file);
    std::size_t written = 0;
    for (std::size_t m = 0; m < request.models.size(); ++m) {
        const std::size_t model = request.models[m];
        const ExportedSamples samples(audit, model, filters[model], request);
        if (samples.rows().empty())
            continue;
        try {
            format.write(samples, folder.path() / names[m],
                         job.step(m, request.models.size(), audit.models[model]->name));
        } catch (const Error& error) {
            throw withTargetName(file.string(), folder.path().string(), error);
        }
        written += samples.rows().size();
    }
    if (written == 0)
        throw Error(ErrorKind::InvalidArgument, file.string() + ": expected at least one sample to write, found none");
    folder.commit();
    return written;
}

} // namespace

std::size_t exportSamples(const AuditResult& audit, const ExportRequest& request, std::span<const SampleFilter> filters,
                          const std::filesystem::path& file, const JobContext& job) {
    const ExportFormat& format = formatOf(request);
    if (request.models.empty())
        throw Error(ErrorKind::InvalidArgument,
                    file.string() + ": expected a model whose samples to write, found none");
    if (filters.size() != audit.models.size())
        throw Error(ErrorKind::InvalidArgument, "what decides about samples: expected it for " +
                                                    std::to_string(audit.models.size()) + " models, found it for " +
                                                    std::to_string(filters.size()));
    requireNoInput(audit, file);
    if (request.models.size() > 1)
        return writeModels(audit, request, filters, file, job);
    const std::size_t model = request.models.front();
    const ExportedSamples samples(audit, model, filters[model], request);
    format.write(samples, file, job);
    return samples.rows().size();
}

std::string exportFileName(std::string_view name, const ExportRequest& request) {
    return safeFileName(name) + endingOf(request);
}

void requireNoInput(const AuditResult& audit, const std::filesystem::path& file) {
    std::vector<const EmbeddingSet*> sets;
    if (audit.real)
        sets.push_back(audit.real->set.get());
    for (const auto& model : audit.models)
        sets.push_back(model->set.get());
    if (audit.heldOut)
        sets.push_back(audit.heldOut->audit->set.get());
    std::error_code ignored;
    for (const EmbeddingSet* set : sets)
        if (!set->source().file.empty() &&
            std::filesystem::equivalent(file, parseFileSpec(set->source().file).file, ignored))
            throw Error(ErrorKind::WriteFailed,
                        file.string() + ": expected a file of its own for the export, found an input of the audit");
    if (isAuditFile(file.string()))
        throw Error(ErrorKind::WriteFailed,
                    file.string() + ": expected a file of its own for the export, found an audit");
}

} // namespace assay

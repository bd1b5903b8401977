#include "engine/report/samples/export_samples.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/data/matrix_view.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/samples/export_formats.h"
#include "engine/store/audit_file.h"
#include "engine/subsets/rules/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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

/// Checks that an export replaces neither an input of the audit nor an audit file.
/// @throws Error{WriteFailed} otherwise
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

namespace {

std::vector<std::uint32_t> rowsToExport(const AppliedFilter& applied, const ExportRequest& request, std::size_t model) {
    if (request.what == ExportWhat::Listed) {
        std::vector<std::uint32_t> rows = request.listed.rowsOf(syntheticSet(model));
        if (!rows.empty() && rows.back() >= applied.kept().size())
            throw Error(ErrorKind::InvalidArgument, "samples to export: expected rows below " +
                                                        std::to_string(applied.kept().size()) + ", found " +
                                                        std::to_string(rows.back()));
        return rows;
    }
    const std::vector<bool>& kept = applied.kept();
    return rowsWhere(kept.size(), [&](std::size_t row) { return kept[row] == (request.what == ExportWhat::Kept); });
}

} // namespace

ExportedSamples::ExportedSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter,
                                 const ExportRequest& request)
    : audit_(audit), model_(*audit.models.at(model)), applied_(audit, model, filter),
      rows_(rowsToExport(applied_, request, model)) {
    for (const Column& column : columnCatalog())
        if (column.side == Side::Synthetic && model_.hasColumn(column.id))
            columns_.push_back({&column, model_.column(column.id)});
    for (const ColumnValues& values : model_.columns)
        if (values.external && values.external->column().side == Side::Synthetic)
            columns_.push_back({&values.external->column(), values.values});
    if (filter.tagNames)
        tagNames_ = *filter.tagNames;
    if (filter.tags)
        tags_ = tagsOfRows(*filter.tags, syntheticSet(model));
    for (const auto& [sample, note] : filter.notes ? *filter.notes : SampleNotes())
        if (sample.set == syntheticSet(model))
            notes_[sample.row] = note;
}

std::vector<std::string> ExportedSamples::ids() const {
    return collected(rows_, [&](std::uint32_t row) { return set().idText(row); });
}

std::vector<std::uint8_t> ExportedSamples::pixels(std::uint32_t row) const {
    std::vector<std::uint8_t> pixels = set().images()->pixels(row);
    if (pixels.empty() || pixels.size() != set().images()->bytesPerImage())
        throw Error(ErrorKind::BadInput,
                    fmt::format("{}: expected the picture of row {} ('{}'), found that it cannot be read",
                                set().source().pictures.empty() ? set().source().file : set().source().pictures,
                                set().fileRow(row), set().idText(row)));
    return pixels;
}

std::vector<std::string> ExportedSamples::tags(std::uint32_t row) const {
    const TagSet given = tagsAt(tags_, row);
    std::vector<std::string> names;
    for (int tag = 1; tag <= kTags; ++tag)
        if ((given & tagSet(tag)) != 0)
            names.push_back(assay::tagsText(tagSet(tag), tagNames_));
    return names;
}

std::string ExportedSamples::tagsText(std::uint32_t row) const {
    return assay::tagsText(tagsAt(tags_, row), tagNames_);
}

std::string ExportedSamples::note(std::uint32_t row) const {
    const auto found = notes_.find(row);
    return found == notes_.end() ? std::string() : found->second;
}

namespace {

constexpr std::size_t kLongestName = 120;

bool isRefused(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F || std::string_view(R"(/\:*?"<>|)").find(c) != std::string_view::npos;
}

/// Lower case for ASCII letters only: for other letters, case rules depend on the file system.
std::string folded(std::string name) {
    for (char& c : name)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return name;
}

/// At most `most` bytes, without cutting a character in two.
std::string shortened(std::string name, std::size_t most) {
    if (name.size() <= most)
        return name;
    while (most > 0 && (static_cast<unsigned char>(name[most]) & 0xC0) == 0x80)
        --most;
    name.resize(most);
    return name;
}

} // namespace

std::string safeFileName(std::string_view name) {
    std::string safe = utf8OrEscaped(name);
    std::replace_if(safe.begin(), safe.end(), isRefused, '_');
    // Leading dots hide a file or refer to the parent folder; some systems drop spaces and dots at the end.
    const std::size_t first = safe.find_first_not_of(". _-");
    safe = first == std::string::npos ? std::string() : shortened(safe.substr(first), kLongestName);
    safe.resize(safe.find_last_not_of(". ") + 1);
    return safe.empty() ? "sample" : safe;
}

std::vector<std::string> fileNamesOf(std::span<const std::string> ids, std::string_view suffix,
                                     std::span<const std::string_view> taken) {
    std::unordered_set<std::string> used;
    for (const std::string_view name : taken)
        used.insert(folded(std::string(name)));
    std::unordered_map<std::string, std::size_t> lastNumber; // many samples may have the same id
    std::vector<std::string> names;
    names.reserve(ids.size());
    for (const std::string& id : ids) {
        std::string base = safeFileName(id);
        base.resize(base.size() - pictureEnding(base).size());
        std::string name = base + std::string(suffix);
        std::size_t& number = lastNumber.try_emplace(folded(base), 1).first->second;
        while (!used.insert(folded(name)).second)
            name = base + "-" + std::to_string(++number) + std::string(suffix);
        names.push_back(std::move(name));
    }
    return names;
}

std::string sampleColumns(const EmbeddingSet& set) {
    return set.hasGroups() ? "row,id,label,group" : "row,id,label";
}

void appendSample(std::string& text, const EmbeddingSet& set, std::size_t row) {
    text += std::to_string(set.fileRow(row)) + ',';
    appendCsvField(text, set.idText(row));
    text += ',';
    appendCsvField(text, set.labelText(row));
    if (!set.hasGroups())
        return;
    text += ',';
    appendCsvField(text, set.groupText(row));
}

void exportCoverage(const AuditResult& audit, const ModelContrast& contrast, const std::filesystem::path& file) {
    const EmbeddingSet& real = *audit.real->set;
    std::array<std::string, kCoverageGroups> names;
    names[static_cast<std::size_t>(CoveredBy::Both)] = "both";
    names[static_cast<std::size_t>(CoveredBy::OnlyFirst)] = contrast.first->name;
    names[static_cast<std::size_t>(CoveredBy::OnlySecond)] = contrast.second->name;
    names[static_cast<std::size_t>(CoveredBy::Neither)] = "neither";
    std::vector<std::size_t> groupOf(real.rows(), static_cast<std::size_t>(CoveredBy::Neither));
    for (std::size_t group = 0; group < names.size(); ++group)
        for (const std::uint32_t row : contrast.groups[group].rows)
            groupOf[row] = group;
    std::string text = sampleColumns(real) + ",covered_by\n";
    for (std::size_t row = 0; row < real.rows(); ++row) {
        appendSample(text, real, row);
        text += ',';
        appendCsvField(text, names[groupOf[row]]);
        text += '\n';
    }
    writeFileAtomically(file.string(), text);
}

void exportHoles(const AuditResult& audit, const CoverageHoles& holes, const std::filesystem::path& file) {
    const EmbeddingSet& real = *audit.real->set;
    std::string text = sampleColumns(real) + ",hole\n";
    const auto append = [&](const std::vector<std::uint32_t>& rows, std::size_t hole) {
        for (const std::uint32_t row : rows) {
            appendSample(text, real, row);
            text += ',' + std::to_string(hole) + '\n';
        }
    };
    for (std::size_t hole = 0; hole < holes.holes.size(); ++hole)
        append(holes.holes[hole].rows, hole + 1);
    append(holes.apart, 0);
    writeFileAtomically(file.string(), text);
}

} // namespace assay

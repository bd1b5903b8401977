#include "engine/report/samples/exported_samples.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/rules/tags.h"

#include <fmt/format.h>

namespace assay {
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
    std::vector<std::string> ids;
    ids.reserve(rows_.size());
    for (const std::uint32_t row : rows_)
        ids.push_back(set().idText(row));
    return ids;
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

} // namespace assay

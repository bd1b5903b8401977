#include "engine/audit/export.h"

#include "engine/audit/audit_result.h"
#include "engine/audit/good_samples.h"
#include "engine/audit/number_text.h"
#include "engine/audit/score_output.h"
#include "engine/audit/what_if.h"
#include "engine/io/atomic_file.h"
#include "engine/io/csv.h"
#include "engine/metrics/catalog.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// Calls write(row) for each kept or rejected row, looking for a stop request now and then.
template <class Write>
void forEachRow(const ModelAudit& model, const SampleFilter& filter, ExportWhat what, const JobContext& job,
                const Write& write) {
    const FilterOutcome outcome = applyRules(model, filter);
    const std::size_t rows = outcome.kept.size();
    for (std::size_t row = 0; row < rows; ++row) {
        if (row % 1024 == 0)
            job.checkpoint(static_cast<double>(row) / static_cast<double>(rows));
        if (outcome.kept[row] == (what == ExportWhat::Kept))
            write(row);
    }
}

/// Row and id of every sample, so that a reader needs no file of the set.
nlohmann::ordered_json rejectedByHand(const ModelAudit& model, const SampleFilter& filter) {
    auto list = nlohmann::ordered_json::array();
    for (const std::uint32_t row : filter.byHand)
        list.push_back({{"row", row}, {"id", model.set->idText(row)}});
    return list;
}

nlohmann::ordered_json tagged(const ModelAudit& model, const RowTags& tags) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& [row, given] : tags)
        list.push_back({{"row", row}, {"id", model.set->idText(row)}, {"tags", tagsText(given)}});
    return list;
}

} // namespace

void exportCsv(const ModelAudit& model, const SampleFilter& filter, ExportWhat what, const std::filesystem::path& file,
               const RowTags& tags, const JobContext& job) {
    std::string text = "row,id,label";
    std::vector<std::pair<const Column*, const std::vector<double>*>> columns;
    for (const Column& column : columnCatalog()) {
        if (column.side != Side::Synthetic || !model.hasColumn(column.id))
            continue;
        text += ',';
        text += column.id;
        columns.emplace_back(&column, &model.column(column.id));
    }
    text += tags.empty() ? ",reason\n" : ",reason,tags\n";
    forEachRow(model, filter, what, job, [&](std::size_t row) {
        text += std::to_string(row) + ',';
        appendCsvField(text, model.set->idText(row));
        text += ',';
        appendCsvField(text, model.set->labelText(row));
        for (const auto& [column, values] : columns) {
            text += ',';
            text += valueText(*column, (*values)[row]);
        }
        text += ',';
        appendCsvField(text, rejectionReason(model, filter, row));
        if (!tags.empty())
            text += ',' + tagsText(tagsAt(tags, row));
        text += '\n';
    });
    writeFileAtomically(file.string(), text);
}

void exportIds(const ModelAudit& model, const SampleFilter& filter, ExportWhat what, const std::filesystem::path& file,
               const JobContext& job) {
    std::string text;
    forEachRow(model, filter, what, job, [&](std::size_t row) { text += model.set->idText(row) + '\n'; });
    writeFileAtomically(file.string(), text);
}

void exportReport(const AuditResult& audit, std::size_t model, const SampleFilter& filter, const WhatIfResult* scores,
                  const std::filesystem::path& file, const RowTags& tags, const JobContext& job) {
    using Json = nlohmann::ordered_json;
    const ModelAudit& audited = *audit.models.at(model);
    const FilterOutcome outcome = applyRules(audited, filter);
    Json kept{{"model", audited.name},
              {"rules", Json::parse(rulesToJson(filter.rules))},
              {"rejected_by_hand", rejectedByHand(audited, filter)},
              {"tags", tagged(audited, tags)},
              {"kept", outcome.keptCount},
              {"rejected", outcome.rejectedCount}};
    if (const auto rate = falseAlarmRate(audit, model, filter.rules))
        kept["false_alarm_rate"] = *rate;
    if (scores != nullptr)
        kept["metrics"] = Json::parse(metricsAsJson(scores->metrics));
    job.throwIfStopped();
    Json report = Json::parse(scoresAsJson(audit));
    report["kept"] = std::move(kept);
    job.throwIfStopped();
    writeFileAtomically(file.string(), report.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

} // namespace assay

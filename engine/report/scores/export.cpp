#include "engine/report/scores/export.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/report/scores/score_output.h"
#include "engine/subsets/rules/good_samples.h"
#include "engine/subsets/rules/rules_json.h"
#include "engine/subsets/rules/tags.h"
#include "engine/subsets/what_if/what_if.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// Row and id of each sample, so that readers of the report do not need the set's file.
nlohmann::ordered_json samplesOf(const ModelAudit& model, std::span<const std::uint32_t> rows) {
    auto list = nlohmann::ordered_json::array();
    for (const std::uint32_t row : rows)
        list.push_back({{"row", row}, {"id", model.set->idText(row)}});
    return list;
}

RowTags tagsIn(const SampleFilter& filter, std::size_t model) {
    return filter.tags ? tagsOfRows(*filter.tags, syntheticSet(model)) : RowTags();
}

std::map<std::uint32_t, std::string> notesIn(const SampleFilter& filter, std::size_t model) {
    std::map<std::uint32_t, std::string> notes;
    for (const auto& [sample, note] : filter.notes ? *filter.notes : SampleNotes())
        if (sample.set == syntheticSet(model))
            notes[sample.row] = note;
    return notes;
}

/// Tags by name; tags without a name by number.
std::string namesText(const SampleFilter& filter, TagSet tags) {
    return tagsText(tags, filter.tagNames ? *filter.tagNames : TagNames());
}

nlohmann::ordered_json tagged(const ModelAudit& model, const SampleFilter& filter, const RowTags& tags) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& [row, given] : tags)
        list.push_back({{"row", row}, {"id", model.set->idText(row)}, {"tags", namesText(filter, given)}});
    return list;
}

nlohmann::ordered_json noted(const ModelAudit& model, const std::map<std::uint32_t, std::string>& notes) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& [row, note] : notes)
        list.push_back({{"row", row}, {"id", model.set->idText(row)}, {"note", note}});
    return list;
}

} // namespace

void exportReport(const AuditResult& audit, std::size_t model, const SampleFilter& filter, const WhatIfResult* scores,
                  const std::filesystem::path& file, const JobContext& job) {
    using Json = nlohmann::ordered_json;
    const ModelAudit& audited = *audit.models.at(model);
    const AppliedFilter applied(audit, model, filter);
    const Json rules = Json::parse(rulesToJson(filter.rules));
    Json kept{{"model", audited.name},
              {"match", rules["match"]},
              {"rules", rules["rules"]},
              {"rejected_by_hand", samplesOf(audited, filter.byHand)},
              {"kept_by_hand", samplesOf(audited, filter.accepted)},
              {"tags", tagged(audited, filter, tagsIn(filter, model))},
              {"notes", noted(audited, notesIn(filter, model))},
              {"kept", applied.keptCount()},
              {"rejected", applied.rejectedCount()}};
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

#include "engine/report/scores/export.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/external/external_scores.h"
#include "engine/report/scores/json_parts.h"
#include "engine/report/scores/score_output.h"
#include "engine/subsets/rules/good_samples.h"
#include "engine/subsets/rules/rules_json.h"
#include "engine/subsets/rules/tags.h"
#include "engine/subsets/what_if/what_if.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <utility>

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

/// Row and id of a sample, so that readers of the report do not need the set's file.
Json sampleOf(const ModelAudit& model, std::uint32_t row) {
    return {{"row", model.set->fileRow(row)}, {"id", model.set->idText(row)}};
}

Json samplesOf(const ModelAudit& model, std::span<const std::uint32_t> rows) {
    Json list = Json::array();
    for (const std::uint32_t row : rows)
        list.push_back(sampleOf(model, row));
    return list;
}

Json tagged(const ModelAudit& model, const DecidedModel& decided) {
    const SampleFilter& filter = decided.filter;
    Json list = Json::array();
    for (const auto& [row, given] : filter.tags ? tagsOfRows(*filter.tags, syntheticSet(decided.model)) : RowTags()) {
        list.push_back(sampleOf(model, row));
        list.back()["tags"] = tagsText(given, filter.tagNames ? *filter.tagNames : TagNames());
    }
    return list;
}

Json noted(const ModelAudit& model, const DecidedModel& decided) {
    Json list = Json::array();
    for (const auto& [sample, note] : decided.filter.notes ? *decided.filter.notes : SampleNotes())
        if (sample.set == syntheticSet(decided.model)) {
            list.push_back(sampleOf(model, sample.row));
            list.back()["note"] = note;
        }
    return list;
}

} // namespace

void exportReport(const AuditResult& audit, const DecidedModel& decided, const std::filesystem::path& file,
                  const JobContext& job) {
    const auto& [model, filter, scores, external] = decided;
    const ModelAudit& audited = *audit.models.at(model);
    const AppliedFilter applied(audit, model, filter);
    const Json rules = Json::parse(rulesToJson(filter.rules));
    Json kept{{"model", audited.name},
              {"match", rules["match"]},
              {"rules", rules["rules"]},
              {"rejected_by_hand", samplesOf(audited, filter.rejectedByHand)},
              {"kept_by_hand", samplesOf(audited, filter.accepted)},
              {"tags", tagged(audited, decided)},
              {"notes", noted(audited, decided)},
              {"kept", applied.keptCount()},
              {"rejected", applied.rejectedCount()}};
    if (const auto rate = falseAlarmRate(audit, model, filter.rules))
        kept["false_alarm_rate"] = *rate;
    if (scores != nullptr)
        kept["metrics"] = Json::parse(metricsAsJson(scores->metrics));
    job.throwIfStopped();
    std::string whole = scoresAsJson(audit);
    if (external != nullptr && !external->empty())
        whole = withExternalAsJson(whole, audit, *external);
    Json report = Json::parse(whole);
    report["kept"] = std::move(kept);
    job.throwIfStopped();
    writeFileAtomically(file.string(), report.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

} // namespace assay

#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/atomic_file.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/external/external_scores.h"
#include "engine/io/files/text_encoding.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/scores/json_parts.h"
#include "engine/report/scores/score_output.h"
#include "engine/subsets/curves/bad_fraction.h"
#include "engine/subsets/curves/requested_curves.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/rules/good_samples.h"
#include "engine/subsets/rules/tags.h"
#include "engine/subsets/what_if/what_if.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::array<std::string_view, 7> kHeadline{
    "clipped_density", "clipped_coverage", "authenticity", "pce", "rce", "re", "precision"};
constexpr std::array<std::string_view, 7> kVerdicts{"bad_share",           "verdict_rejected", "verdict_copy",
                                                    "verdict_unrealistic", "verdict_invented", "verdict_crowded",
                                                    "coverage_missed"};

/// A score with half the width of its interval, if it has one: "0.6871 ±0.012".
std::string scoreText(const ModelAudit& model, std::string_view id) {
    if (!model.hasMetric(id))
        return "-";
    std::string text = fmt::format("{:.{}f}", model.metric(id), findMetric(id)->unit == Unit::Nats ? 3 : 4);
    if (const MetricInterval* interval = model.interval(id))
        text += fmt::format(" ±{:.3f}", (interval->high - interval->low) / 2.0);
    return text;
}

/// One line per model, one right-aligned column per metric; empty when no model has any of the metrics.
std::string table(const std::vector<const ModelAudit*>& models, const std::vector<std::string_view>& metrics) {
    std::vector<std::vector<std::string>> columns{{"model"}};
    for (const ModelAudit* model : models)
        columns.front().push_back(model->name);
    for (const std::string_view id : metrics) {
        if (std::none_of(models.begin(), models.end(), [id](const ModelAudit* model) { return model->hasMetric(id); }))
            continue;
        columns.push_back({std::string(id) + (findMetric(id)->unit == Unit::Nats ? " (nats)" : "")});
        for (const ModelAudit* model : models)
            columns.back().push_back(scoreText(*model, id));
    }
    if (columns.size() == 1)
        return {};
    std::string text;
    for (std::size_t line = 0; line < columns.front().size(); ++line) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            std::size_t width = 0;
            for (const std::string& cell : columns[c])
                width = std::max(width, codePoints(cell));
            const std::string padding(width - codePoints(columns[c][line]), ' ');
            text += c == 0 ? columns[c][line] + padding : "  " + padding + columns[c][line];
        }
        text += '\n';
    }
    return text;
}

std::vector<std::string_view> metricsOf(ResultType needs) {
    std::vector<std::string_view> ids;
    for (const Metric& metric : metricCatalog())
        if (metric.needs == needs)
            ids.push_back(metric.id);
    return ids;
}

void addSection(std::string& text, std::string_view title, const std::string& section) {
    if (!section.empty())
        text.append("\n").append(title).append("\n").append(section);
}

std::string findingsText(const AuditResult& audit) {
    std::string text;
    for (const auto& model : audit.models) {
        text += model->name + (isMarked(*model) ? " (!): " : ": ") + model->summary + '\n';
        for (const Finding& finding : model->findings)
            text.append("  - ").append(finding.sentence) += '\n';
    }
    return text;
}

std::string heldOutText(const AuditResult& audit) {
    if (!audit.heldOut)
        return {};
    const ModelAudit& heldOut = *audit.heldOut->audit;
    return "the held-out set as if it were a model: " + heldOut.summary + '\n' + headlineTable({&heldOut});
}

std::string badFractionText(const AuditResult& audit) {
    const RequestedCurve* curve = findRequestedCurve(audit, "bad_fraction");
    if (curve == nullptr)
        return {};
    std::string text;
    for (const auto& model : audit.models) {
        text += model->name + ':';
        for (const std::string_view id : {"clipped_density", "clipped_coverage"})
            text += "  as a set with " +
                    fmt::format("{:.1f}", 100.0 * equivalentBadFraction(curve->values, id, model->metric(id))) +
                    " % bad samples by " + std::string(id) + (id == "clipped_density" ? "," : "");
        text += '\n';
    }
    return text;
}

} // namespace

std::string headlineTable(const std::vector<const ModelAudit*>& models) {
    return table(models, {kHeadline.begin(), kHeadline.end()});
}

std::string scoresAsTable(const AuditResult& audit) {
    const auto models = collected(audit.models, [](const auto& model) -> const ModelAudit* { return model.get(); });
    std::string text = headlineTable(models);
    addSection(text, "verdicts on single samples, at a false discovery rate of " + numberText(audit.falseDiscoveryRate),
               table(models, {kVerdicts.begin(), kVerdicts.end()}));
    addSection(text, "against the held-out set", table(models, metricsOf(needs::kHeldOut)) + heldOutText(audit));
    addSection(text, "in the one-class embedding", table(models, metricsOf(needs::kOneClass)));
    addSection(text, "on the curve of bad samples", badFractionText(audit));
    addSection(text, "what is wrong with each model", findingsText(audit));
    return text;
}

std::string compatAsTable(const AuditResult& audit, std::span<const CompatResult> compat) {
    if (compat.empty())
        return {};
    std::string text = "\nin the conventions of " + std::string(compat.front().program->id) + " (" +
                       std::string(compat.front().program->source) + ")\n";
    for (std::size_t m = 0; m < compat.size(); ++m) {
        text.append(audit.models[m]->name).append("\n");
        for (const CompatValue& value : compat[m].metrics)
            if (!value.isCurve)
                text.append("  ").append(value.name).append("  ").append(numberText(value.values.front())).append("\n");
    }
    return text;
}

namespace {

using Json = nlohmann::ordered_json;

Json scoresOf(const ModelAudit& model) {
    Json intervals = Json::object();
    for (const MetricInterval& interval : model.intervals)
        intervals[std::string(interval.id)] = {interval.low, interval.high};
    return {{"metrics", Json::parse(metricsAsJson(model.metrics))}, {"intervals", std::move(intervals)}};
}

} // namespace

std::string withKeptAsJson(const std::string& text, const FilterRules& rules, std::span<const KeptAudit> kept) {
    Json json = Json::parse(text);
    const Json given = Json::parse(rulesToJson(rules));
    json["match"] = given["match"];
    json["rules"] = given["rules"];
    for (std::size_t m = 0; m < kept.size(); ++m) {
        Json part{{"kept", kept[m].keptCount}, {"rejected", kept[m].rejectedCount}};
        if (kept[m].falseAlarmRate)
            part["false_alarm_rate"] = *kept[m].falseAlarmRate;
        if (kept[m].kept)
            part.update(scoresOf(*kept[m].kept));
        if (kept[m].random)
            part["random"] = scoresOf(*kept[m].random);
        json["models"][m]["kept"] = std::move(part);
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string keptAsTable(const AuditResult& audit, const FilterRules& rules, std::span<const KeptAudit> kept) {
    if (kept.empty())
        return {};
    std::string text = "\nkept samples: those that pass ";
    text += rules.match == RuleMatch::All ? "every rule\n" : "one of the rules\n";
    for (const FilterRule& rule : rules.list)
        text += "  " + ruleText(rule) + '\n';
    std::vector<const ModelAudit*> compared;
    for (std::size_t m = 0; m < kept.size(); ++m) {
        const ModelAudit& model = *audit.models[m];
        text += fmt::format("{}: {} kept, {} rejected", model.name, kept[m].keptCount, kept[m].rejectedCount);
        if (kept[m].falseAlarmRate)
            text += "; of good samples " + percentText(*kept[m].falseAlarmRate) + " would be";
        text += '\n';
        compared.push_back(&model);
        if (kept[m].kept)
            compared.insert(compared.end(), {kept[m].kept.get(), kept[m].random.get()});
    }
    return text + headlineTable(compared);
}

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

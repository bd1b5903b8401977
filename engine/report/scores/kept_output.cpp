#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/report/scores/score_output.h"
#include "engine/subsets/rules/rules_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace assay {
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

} // namespace assay

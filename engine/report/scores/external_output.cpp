#include "engine/report/scores/external_output.h"

#include "engine/audit/result/audit_result.h"
#include "engine/external/agreement.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

Json numberAsJson(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json correlationAsJson(const Correlation& correlation) {
    Json json{{"value", numberAsJson(correlation.value)}, {"low", nullptr}, {"high", nullptr}};
    if (correlation.interval) {
        json["low"] = numberAsJson(correlation.interval->low);
        json["high"] = numberAsJson(correlation.interval->high);
    }
    return json;
}

Json agreementAsJson(const Agreement& agreement, const ExternalScores& scores) {
    const bool isMetric = agreement.metric != nullptr;
    return {{isMetric ? "metric" : "external",
             isMetric ? std::string(agreement.metric->id) : scores.columns[*agreement.other]},
            {"models", agreement.models.size()},
            {"pearson", correlationAsJson(agreement.pearson)},
            {"spearman", correlationAsJson(agreement.spearman)},
            {"kendall", correlationAsJson(agreement.kendall)}};
}

} // namespace

std::string withExternalAsJson(const std::string& json, const AuditResult& audit, const ExternalScores& scores) {
    Json whole = Json::parse(json);
    const std::vector<Agreement> all = agreements(audit, scores);
    const auto rows = rowsOfModels(scores, audit);
    Json columns = Json::array();
    for (std::size_t column = 0; column < scores.columns.size(); ++column) {
        Json values = Json::object();
        for (std::size_t model = 0; model < rows.size(); ++model)
            values[audit.models[model]->name] =
                rows[model] ? numberAsJson(scores.rows[*rows[model]].values[column]) : Json(nullptr);
        Json found = Json::array();
        for (const Agreement& agreement : all)
            if (agreement.column == column)
                found.push_back(agreementAsJson(agreement, scores));
        columns.push_back({{"name", scores.columns[column]},
                           {"values", values},
                           {"sentence", agreementSentence(all, scores, column)},
                           {"agreement", found}});
    }
    whole["external"] = {{"file", scores.source}, {"sha256", scores.sha256}, {"columns", columns}};
    return whole.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string externalAsText(const AuditResult& audit, const ExternalScores& scores) {
    const std::vector<Agreement> all = agreements(audit, scores);
    std::string text;
    for (std::size_t column = 0; column < scores.columns.size(); ++column)
        text += agreementSentence(all, scores, column) + '\n';
    return text;
}

} // namespace assay

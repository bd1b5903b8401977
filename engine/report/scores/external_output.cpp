#include "engine/report/scores/external_output.h"

#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/sample_scores.h"
#include "engine/external/agreement.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <vector>

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

Json externalColumnAsJson(const AuditResult& audit, const SampleScores::Part& part) {
    std::vector<double> known;
    std::ranges::copy_if(part.values, std::back_inserter(known), [](double value) { return std::isfinite(value); });
    Json json{{"id", externalId(part.name, isReal(part.set) ? Side::Real : Side::Synthetic)},
              {"name", part.name},
              {"set", isReal(part.set) ? "real" : audit.models[modelIndex(part.set)]->name},
              {"file", part.source},
              {"sha256", part.sha256},
              {"values", known.size()},
              {"missing", part.values.size() - known.size()}};
    if (!known.empty()) {
        json["mean"] = std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(known.size());
        json["lowest"] = std::ranges::min(known);
        json["highest"] = std::ranges::max(known);
    }
    return json;
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

std::string externalColumnsAsJson(const AuditResult& audit) {
    Json list = Json::array();
    if (audit.sampleScores)
        for (const SampleScores::Part& part : audit.sampleScores->parts)
            list.push_back(externalColumnAsJson(audit, part));
    return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string externalAsText(const AuditResult& audit, const ExternalScores& scores) {
    const std::vector<Agreement> all = agreements(audit, scores);
    std::string text;
    for (std::size_t column = 0; column < scores.columns.size(); ++column)
        text += agreementSentence(all, scores, column) + '\n';
    return text;
}

} // namespace assay

#include "engine/report/scores/json_parts.h"

#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "engine/audit/result/sample_scores.h"
#include "engine/data/feature_layout.h"
#include "engine/external/external_scores.h"
#include "engine/io/files/text_encoding.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/catalog/catalog.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

/// Largest number of classes for which the whole matrix of counts is written; of more, its largest cells off the
/// diagonal.
constexpr std::size_t kMaxInMatrix = 50;
constexpr std::size_t kMaxListed = 100;

/// Counts by two indices of classes, a row for each `row`.
template <typename Cell>
std::vector<std::vector<std::uint32_t>> matrixOf(const std::vector<Cell>& cells, std::size_t classes,
                                                 std::uint32_t Cell::*row, std::uint32_t Cell::*column) {
    std::vector<std::vector<std::uint32_t>> counts(classes, std::vector<std::uint32_t>(classes, 0));
    for (const Cell& cell : cells)
        counts[cell.*row][cell.*column] = cell.count;
    return counts;
}

/// The largest cells off the diagonal, by the names of their classes.
template <typename Cell>
Json largestOffDiagonal(std::vector<Cell> cells, const std::vector<std::string>& classes,
                        std::pair<const char*, std::uint32_t Cell::*> row,
                        std::pair<const char*, std::uint32_t Cell::*> column) {
    std::erase_if(cells, [&](const Cell& cell) { return cell.*row.second == cell.*column.second; });
    std::ranges::stable_sort(cells, std::ranges::greater(), &Cell::count);
    cells.resize(std::min(cells.size(), kMaxListed));
    Json list = Json::array();
    for (const Cell& cell : cells)
        list.push_back({{row.first, classes[cell.*row.second]},
                        {column.first, classes[cell.*column.second]},
                        {"count", cell.count}});
    return list;
}

} // namespace

std::string nearestClassesAsJson(const AuditResult& audit, const ModelAudit& model) {
    const auto found = model.tables ? nearestClasses(*model.set, *audit.real->set, model.tables->synthetic.nearest)
                                    : std::optional<NearestClasses>();
    if (!found)
        return "null";
    Json json{{"agreement", found->agreement()}};
    if (const auto ofReal = nearestClassesOfReal(audit))
        json["real_agreement"] = ofReal->agreement();
    if (found->classes.size() <= kMaxInMatrix) {
        json["classes"] = found->classes;
        json["counts"] =
            matrixOf(found->cells, found->classes.size(), &NearestClassCount::own, &NearestClassCount::nearest);
    } else {
        json["confused"] = largestOffDiagonal<NearestClassCount>(
            found->cells, found->classes, {"own", &NearestClassCount::own}, {"nearest", &NearestClassCount::nearest});
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

Json named(const EmbeddingSet& real, std::uint32_t feature) {
    const std::vector<std::string>& names = real.source().columnNames;
    Json row{{"feature", feature}};
    if (feature < names.size())
        row["name"] = utf8OrEscaped(names[feature]);
    return row;
}

Json featureList(const EmbeddingSet& real, const FeatureDifferences& differences) {
    Json list = Json::array();
    for (const FeatureDifference& one : differences.features) {
        const FeatureDifference feature = inFile(*real.preparation(), one);
        Json row = named(real, feature.feature);
        row.update({{"wasserstein_distance", feature.distance},
                    {"by_chance", feature.byChance},
                    {"real_mean", feature.realMean},
                    {"real_deviation", feature.realDeviation},
                    {"synthetic_mean", feature.syntheticMean},
                    {"synthetic_deviation", feature.syntheticDeviation}});
        list.push_back(std::move(row));
    }
    return {{"real_rows", differences.realRows},
            {"synthetic_rows", differences.syntheticRows},
            {"features", std::move(list)}};
}

Json correlationList(const EmbeddingSet& real, const CorrelationDifferences& found) {
    Json pairs = Json::array();
    for (const CorrelationDifference& pair : found.pairs)
        pairs.push_back({{"first", named(real, pair.first)},
                         {"second", named(real, pair.second)},
                         {"real", pair.real},
                         {"synthetic", pair.synthetic},
                         {"difference", pair.difference()},
                         {"low", pair.low},
                         {"high", pair.high},
                         {"by_chance", pair.byChance},
                         {"p_value", pair.pValue}});
    return {{"real_rows", found.realRows},        {"synthetic_rows", found.syntheticRows},
            {"features", found.features},         {"features_left_out", found.leftOut},
            {"features_too_rare", found.tooRare}, {"pairs_compared", found.compared},
            {"pairs_differing", found.differing}, {"pairs", std::move(pairs)}};
}

Json categoryList(const std::vector<CategoryDifference>& columns) {
    Json list = Json::array();
    for (const CategoryDifference& column : columns) {
        Json categories = Json::array();
        for (const CategoryCounts& one : column.categories)
            categories.push_back({{"text", utf8OrEscaped(one.text)},
                                  {"real", one.real},
                                  {"synthetic", one.synthetic},
                                  {"p_value", one.pValue}});
        list.push_back({{"column", utf8OrEscaped(column.column)},
                        {"first_feature", column.feature},
                        {"total_variation", column.distance},
                        {"by_chance", column.byChance},
                        {"categories", std::move(categories)}});
    }
    return list;
}

Json missingList(const TableDifferences& found) {
    if (!found.missingUnknown.empty())
        return {{"unknown", found.missingUnknown}};
    Json list = Json::array();
    for (const MissingRate& rate : found.missing)
        list.push_back({{"column", utf8OrEscaped(rate.column)},
                        {"feature", rate.feature},
                        {"real", rate.real},
                        {"real_rows", rate.realRows},
                        {"synthetic", rate.synthetic},
                        {"synthetic_rows", rate.syntheticRows},
                        {"by_chance", rate.byChance()},
                        {"p_value", rate.pValue}});
    return {{"columns", std::move(list)}};
}

} // namespace

std::string featuresAsJson(const EmbeddingSet& real, const ModelAudit& model) {
    Json json = Json::object();
    if (!model.featureDifferences.features.empty())
        json["feature_differences"] = featureList(real, model.featureDifferences);
    if (model.tableDifferences != TableDifferences()) {
        json["correlation_differences"] = correlationList(real, model.tableDifferences.correlations);
        json["category_differences"] = categoryList(model.tableDifferences.categories);
        json["missing_values"] = missingList(model.tableDifferences);
    }
    return json.dump();
}

namespace {

Json utilityAsJson(const UtilityReport& report) {
    if (!report.exists())
        return nullptr;
    Json json{{"tested_on", report.testedOn},
              {"trained_on", report.trainedOn},
              {"tested", report.tested},
              {"converged", report.converged}};
    if (report.classes.empty())
        return json;
    json["by_class"] = Json::array();
    for (const ClassUtility& of : report.byClass)
        json["by_class"].push_back({{"label", report.classes[of.label]},
                                    {"tested", of.tested},
                                    {"trained_on", of.training},
                                    {"accuracy", of.accuracy},
                                    {"real_accuracy", of.realAccuracy}});
    if (report.classes.size() <= kMaxInMatrix)
        json["confusion"] = {
            {"classes", report.classes},
            {"counts", matrixOf(report.confusion, report.classes.size(), &Confusion::actual, &Confusion::predicted)}};
    else
        json["errors"] = largestOffDiagonal<Confusion>(report.confusion, report.classes, {"actual", &Confusion::actual},
                                                       {"predicted", &Confusion::predicted});
    return json;
}

} // namespace

std::string usefulAsJson(const AuditResult& audit, const ModelAudit& model) {
    Json json{{"useful", {{"sentence", usefulSentence(model)}, {"utility", utilityAsJson(model.utility)}}},
              {"private", {{"sentence", privateSentence(audit, model)}}}};
    if (!model.utility.whyNot.empty())
        json["useful"]["why_not"] = model.utility.whyNot;
    // The figures stand among the metrics.
    const bool isMeasured = audit.heldOut != nullptr && model.hasMetric("membership_auc");
    json["private"]["membership"] = isMeasured ? Json{{"held_out", audit.heldOut->audit->set->rows()}} : Json(nullptr);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

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

std::vector<HeldOutQuantiles> heldOutQuantiles(const AuditResult& audit) {
    std::vector<HeldOutQuantiles> table;
    if (!audit.heldOut)
        return table;
    for (const ColumnValues& column : audit.heldOut->audit->columns) {
        const Column* row = findColumn(column.id);
        if (row == nullptr || row->side != Side::Synthetic || row->unit == Unit::Row)
            continue;
        std::vector<double> numbers;
        std::copy_if(column.values.begin(), column.values.end(), std::back_inserter(numbers),
                     [](double value) { return !std::isnan(value); });
        HeldOutQuantiles entry;
        entry.column = column.id;
        entry.missing = column.values.size() - numbers.size();
        for (std::size_t q = 0; q < entry.values.size(); ++q)
            entry.values[q] = numbers.empty() ? kNaN : quantile(std::span(numbers), HeldOutQuantiles::kShares[q]);
        table.push_back(entry);
    }
    return table;
}

} // namespace assay

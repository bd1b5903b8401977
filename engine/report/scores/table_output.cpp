#include "engine/report/scores/table_output.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/feature_layout.h"
#include "engine/io/files/text_encoding.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

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

} // namespace assay

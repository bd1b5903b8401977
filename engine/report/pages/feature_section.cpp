#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/data/feature_layout.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/html_table.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/scores/table_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace assay::report {
namespace {

constexpr std::size_t kMaxRows = 15;

using Rows = std::vector<std::vector<TableCell>>;

std::string inDeviations(double value) {
    return std::isinf(value) ? "\xE2\x88\x9E" : roundedText(value);
}

void writeFeatureTable(HtmlWriter& html, const EmbeddingSet& real, const ModelAudit& model) {
    const std::vector<FeatureDifference>& features = model.featureDifferences.features;
    Rows rows;
    for (std::size_t f = 0; f < std::min(features.size(), kMaxRows); ++f) {
        const FeatureDifference feature = inFile(*real.preparation(), features[f]);
        rows.push_back({{featureNameOf(real, feature.feature)},
                        {inDeviations(features[f].relativeDistance())},
                        {inDeviations(features[f].relativeByChance())},
                        {roundedText(feature.realMean)},
                        {roundedText(feature.realDeviation)},
                        {roundedText(feature.syntheticMean)},
                        {roundedText(feature.syntheticDeviation)}});
    }
    writeTable(html, "Features of " + model.name + " that differ most from the real ones",
               {{"Feature"},
                {"Distance (SD)", kRight},
                {"By chance (SD)", kRight},
                {"Real mean", kRight},
                {"Real SD", kRight},
                {"Synthetic mean", kRight},
                {"Synthetic SD", kRight}},
               rows);
}

void writePairs(HtmlWriter& html, const EmbeddingSet& real, const ModelAudit& model) {
    const CorrelationDifferences& found = model.tableDifferences.correlations;
    html.leaf("p", correlationSentence(real, model));
    if (found.differing == 0)
        return;
    Rows rows;
    for (std::size_t p = 0; p < std::min({found.pairs.size(), found.differing, kMaxRows}); ++p) {
        const CorrelationDifference& pair = found.pairs[p];
        rows.push_back(
            {{featureNameOf(real, pair.first) + " and " + featureNameOf(real, pair.second)},
             {correlationText(pair.real)},
             {correlationText(pair.synthetic)},
             {fmt::format("{:+.2f}", pair.difference()), fmt::format("{:+.2f} to {:+.2f}", pair.low, pair.high)},
             {fmt::format("{:.3f}", pair.byChance)}});
    }
    writeTable(html, "Pairs of features that are correlated differently in " + model.name,
               {{"Features"},
                {"Real correlation", kRight},
                {"Synthetic", kRight},
                {"Difference", kRight},
                {"By chance", kRight}},
               rows);
}

void writeCategories(HtmlWriter& html, const ModelAudit& model) {
    const std::vector<CategoryDifference>& columns = model.tableDifferences.categories;
    if (columns.empty())
        return;
    html.leaf("p", categorySentence(model));
    Rows rows;
    for (std::size_t c = 0; c < std::min(columns.size(), kMaxRows); ++c)
        rows.push_back({{columnNameOf(columns[c])},
                        {percentText(columns[c].distance)},
                        {percentText(columns[c].byChance)},
                        {missingCategories(columns[c])},
                        {inventedCategories(columns[c])}});
    writeTable(html, "Categories of " + model.name,
               {{"Column"}, {"Total variation", kRight}, {"By chance", kRight}, {"Missing"}, {"Invented"}}, rows);
}

void writeMissing(HtmlWriter& html, const ModelAudit& model) {
    const std::vector<MissingRate>& rates = model.tableDifferences.missing;
    html.leaf("p", missingValueSentence(model));
    if (rates.empty())
        return;
    Rows rows;
    for (std::size_t r = 0; r < std::min(rates.size(), kMaxRows); ++r)
        rows.push_back({{rates[r].column.empty() ? "feature " + std::to_string(rates[r].feature) : rates[r].column},
                        {percentText(rates[r].realRate())},
                        {percentText(rates[r].syntheticRate())},
                        {percentText(rates[r].byChance())}});
    writeTable(html, "Missing values of " + model.name,
               {{"Column"}, {"Real", kRight}, {"Synthetic", kRight}, {"Difference by chance", kRight}}, rows);
}

} // namespace

void writeFeatures(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    const EmbeddingSet& real = *audit.real->set;
    const ModelAudit& audited = *audit.models[model];
    // Single dimensions of an embedding mean little to a reader.
    if (!real.preparation()->isTable || audited.featureDifferences.features.empty())
        return;
    html.leaf("h3", "Which features differ?");
    writeFeatureTable(html, real, audited);
    if (audited.tableDifferences == TableDifferences()) // an audit of an earlier version
        return;
    writePairs(html, real, audited);
    writeCategories(html, audited);
    writeMissing(html, audited);
}

} // namespace assay::report

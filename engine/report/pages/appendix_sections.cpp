#include "engine/audit/findings/findings.h"
#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "engine/base/number_text.h"
#include "engine/data/feature_layout.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"
#include "engine/report/scores/table_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::report {
namespace {

/// Largest number of classes that the page shows.
constexpr std::size_t kMaxClasses = 40;
/// Largest number of classes of which a whole matrix is shown; of more, its heaviest confusions.
constexpr std::size_t kMaxInMatrix = 20;
constexpr std::size_t kMaxConfusions = 20;

/// A per-sample score and the heading for its mean in the table.
struct ClassColumn {
    std::string_view column;
    std::string_view title;
};
constexpr std::array<ClassColumn, 5> kClassColumns{{{"fidelity", "Fidelity"},
                                                    {"verdict", "Flagged samples"},
                                                    {"authentic", "Authentic samples"},
                                                    {"coverage", "Coverage"},
                                                    {"coverage_verdict", "Missed or thin samples"}}};

std::optional<std::size_t> placeOf(const ByClass& byClass, std::string_view column) {
    const auto at = std::find(byClass.columns.begin(), byClass.columns.end(), column);
    return at == byClass.columns.end()
               ? std::nullopt
               : std::optional<std::size_t>(static_cast<std::size_t>(at - byClass.columns.begin()));
}

/// Criterion that selects the worst classes when there are too many: sum of coverage and fidelity. A class without
/// samples in a set counts as not covered.
double quality(const ByClass& byClass, const ClassScores& scores) {
    double sum = 0.0;
    for (const std::string_view column : {"fidelity", "coverage"})
        if (const auto at = placeOf(byClass, column); at && !std::isnan(scores.means[*at]))
            sum += scores.means[*at];
    return sum;
}

/// The classes to show, in their order: all, or the worst ones.
std::vector<const ClassScores*> shownClasses(const ByClass& byClass) {
    std::vector<const ClassScores*> shown;
    for (const ClassScores& scores : byClass.classes)
        shown.push_back(&scores);
    if (shown.size() <= kMaxClasses)
        return shown;
    std::stable_sort(shown.begin(), shown.end(), [&](const ClassScores* a, const ClassScores* b) {
        return quality(byClass, *a) < quality(byClass, *b);
    });
    shown.resize(kMaxClasses);
    std::sort(shown.begin(), shown.end()); // pointers into the list: restores its order
    return shown;
}

std::string countText(const std::optional<std::size_t>& count) {
    return count ? std::to_string(*count) : kNoValue;
}

/// Text of a column's mean: a percentage for shares, a number for scores.
std::string meanText(std::string_view column, double mean) {
    const Unit unit = findColumn(column)->unit;
    if (std::isnan(mean))
        return kNoValue;
    return unit == Unit::Word || unit == Unit::YesNo ? percentText(mean) : scoreText(mean, unit);
}

std::string shareText(const NearestClasses& found, std::uint32_t own, std::uint32_t nearest) {
    return found.count(own, nearest) == 0 ? "" : percentText(found.share(own, nearest));
}

/// All classes against all.
void writeMatrix(HtmlWriter& html, const NearestClasses& found, const std::string& caption) {
    std::vector<TableColumn> columns{{"Synthetic class"}};
    std::vector<std::vector<TableCell>> rows;
    for (std::uint32_t one = 0; one < found.classes.size(); ++one)
        if (found.real[one] > 0)
            columns.push_back({found.classes[one], kRight});
    for (std::uint32_t own = 0; own < found.classes.size(); ++own) {
        if (found.samples[own] == 0)
            continue;
        rows.push_back({{found.classes[own]}});
        for (std::uint32_t nearest = 0; nearest < found.classes.size(); ++nearest)
            if (found.real[nearest] > 0)
                rows.back().push_back({shareText(found, own, nearest)});
    }
    writeTable(html, caption, columns, rows);
}

/// The cells off the diagonal with the most samples.
void writeConfusions(HtmlWriter& html, const NearestClasses& found, const std::string& caption) {
    std::vector<NearestClassCount> confused;
    std::ranges::copy_if(found.cells, std::back_inserter(confused),
                         [](const NearestClassCount& cell) { return cell.own != cell.nearest; });
    std::ranges::stable_sort(confused, std::ranges::greater(), &NearestClassCount::count);
    confused.resize(std::min(confused.size(), kMaxConfusions));
    std::vector<std::vector<TableCell>> rows;
    rows.reserve(confused.size());
    for (const NearestClassCount& cell : confused)
        rows.push_back({{found.classes[cell.own]},
                        {found.classes[cell.nearest]},
                        {std::to_string(cell.count)},
                        {shareText(found, cell.own, cell.nearest)}});
    if (!rows.empty())
        writeTable(html, caption + "; the heaviest confusions",
                   {{"Synthetic class"}, {"Nearest real class"}, {"Samples", kRight}, {"Share of the class", kRight}},
                   rows);
}

/// Which classes are confused, by the nearest real samples.
void writeNearestClasses(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    const auto found = nearestClasses(audit, model);
    const auto ofReal = nearestClassesOfReal(audit);
    if (!found || !ofReal || !haveCommonClass(*audit.real->set, *audit.models[model]->set))
        return;
    const std::string caption = "Class of the nearest real sample of each class of " + audit.models[model]->name;
    if (found->classes.size() <= kMaxInMatrix)
        writeMatrix(html, *found, caption);
    else
        writeConfusions(html, *found, caption);
    html.leaf("p",
              "The nearest real sample is of the sample's own class for " + percentText(found->agreement()) +
                  " of the synthetic samples, and for " + percentText(ofReal->agreement()) +
                  " of the real ones, each compared with the other real samples.",
              {{"class", "muted"}});
}

} // namespace

void writeClasses(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    const std::optional<ByClass> byClass = scoresByClass(*audit.real->set, *audit.models[model]);
    if (!byClass)
        return;
    std::vector<TableColumn> columns{{"Class"}, {"Real", kRight}, {"Synthetic", kRight}};
    for (const ClassColumn& shown : kClassColumns)
        if (placeOf(*byClass, shown.column))
            columns.push_back({std::string(shown.title), kRight});
    std::vector<std::vector<TableCell>> rows;
    const std::vector<const ClassScores*> shown = shownClasses(*byClass);
    for (const ClassScores* scores : shown) {
        rows.push_back({{scores->label}, {countText(scores->real)}, {countText(scores->synthetic)}});
        for (const ClassColumn& column : kClassColumns)
            if (const auto at = placeOf(*byClass, column.column))
                rows.back().push_back({meanText(column.column, scores->means[*at])});
    }
    html.leaf("h3", "How good is each class?");
    if (shown.size() < byClass->classes.size())
        html.leaf("p", "The " + std::to_string(shown.size()) + " worst of " + std::to_string(byClass->classes.size()) +
                           " classes by fidelity and coverage; the JSON output has all.");
    writeTable(html, "Samples and mean scores of each class of " + audit.models[model]->name, columns, rows);
    writeNearestClasses(html, audit, model);
}

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

namespace {

void writeByClass(HtmlWriter& html, const ModelAudit& model) {
    std::vector<ClassUtility> classes = model.utility.byClass;
    const bool all = classes.size() <= kMaxClasses;
    if (!all) {
        std::ranges::stable_sort(classes, std::ranges::greater(),
                                 [](const ClassUtility& of) { return of.realAccuracy - of.accuracy; });
        classes.resize(kMaxClasses);
    }
    std::vector<std::vector<TableCell>> rows;
    rows.reserve(classes.size());
    for (const ClassUtility& of : classes)
        rows.push_back({{model.utility.classes[of.label]},
                        {std::to_string(of.training)},
                        {std::to_string(of.tested)},
                        {percentText(of.accuracy)},
                        {percentText(of.realAccuracy)}});
    writeTable(html,
               "Accuracy by class of a classifier trained on " + model.name +
                   (all ? "" : "; the classes that lose most"),
               {{"Class"},
                {"Training samples", kRight},
                {"Test samples", kRight},
                {"Accuracy", kRight},
                {"Trained on real", kRight}},
               rows);
}

void writeConfusion(HtmlWriter& html, const ModelAudit& model) {
    const UtilityReport& report = model.utility;
    if (report.classes.size() > kMaxInMatrix)
        return;
    std::vector<TableColumn> columns{{"Real class"}};
    for (const std::string& name : report.classes)
        columns.push_back({name, kRight});
    std::vector<std::vector<TableCell>> rows;
    for (const ClassUtility& of : report.byClass) {
        std::vector<TableCell> row{{report.classes[of.label]}};
        std::vector<std::uint32_t> counts(report.classes.size(), 0);
        for (const Confusion& cell : report.confusion)
            if (cell.actual == of.label)
                counts[cell.predicted] = cell.count;
        for (const std::uint32_t count : counts)
            row.push_back({count == 0 ? "" : std::to_string(count)});
        rows.push_back(std::move(row));
    }
    writeTable(html, "What a classifier trained on " + model.name + " takes each class for", columns, rows);
}

void writeDistances(HtmlWriter& html, const ModelAudit& model) {
    constexpr std::array kRows{std::pair{"dcr_5", "Distance to the closest record, 5th percentile"},
                               std::pair{"dcr_median", "Distance to the closest record, median"},
                               std::pair{"nndr_5", "Nearest-neighbour distance ratio, 5th percentile"},
                               std::pair{"nndr_median", "Nearest-neighbour distance ratio, median"}};
    std::vector<std::vector<TableCell>> rows;
    for (const auto& [id, title] : kRows) {
        const std::string heldOut = std::string(id) + "_held_out";
        if (model.hasMetric(id))
            rows.push_back({{title}, {scoreText(model, *findMetric(id))}, {scoreText(model, *findMetric(heldOut))}});
    }
    if (rows.empty())
        return;
    writeTable(html, "Distances of the samples of " + model.name + " to real samples",
               {{"Distance"}, {"Synthetic", kRight}, {"Held-out", kRight}}, rows);
    html.leaf("p", "Copies lie closer to real samples than held-out samples do: both numbers are then smaller.",
              {{"class", "muted"}});
}

} // namespace

void writeUseful(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    const ModelAudit& audited = *audit.models[model];
    html.leaf("h3", "Useful and private");
    html.leaf("p", usefulSentence(audited));
    if (audited.utility.exists() && !audited.utility.classes.empty()) {
        writeByClass(html, audited);
        writeConfusion(html, audited);
    }
    html.leaf("p", privateSentence(audit, audited));
    writeDistances(html, audited);
}

} // namespace assay::report

#include "engine/report/scores/table_features.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/data/embedding_set.h"
#include "engine/data/feature_layout.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/math/statistics/quantile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

namespace assay {
namespace {

constexpr std::size_t kNamed = 5;
constexpr std::size_t kLongestName = 40;

/// A text of a file in a sentence: an empty one would not be seen, and a long one would hide the sentence.
std::string shownText(const std::string& text) {
    return text.empty() ? "(empty)" : printable(text, kLongestName);
}

/// "sailor (60), cook (12) and 3 more".
template <typename Wanted>
std::string listed(const CategoryDifference& column, const Wanted& wanted) {
    std::vector<const CategoryCounts*> found;
    for (const CategoryCounts& one : column.categories)
        if (one.isAbsent() && wanted(one))
            found.push_back(&one);
    std::ranges::stable_sort(found, std::ranges::greater(), [](const auto* one) { return one->real + one->synthetic; });
    std::string text;
    for (std::size_t i = 0; i < std::min(found.size(), kNamed); ++i)
        text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", shownText(found[i]->text),
                            countText(found[i]->real + found[i]->synthetic));
    return found.size() > kNamed ? text + fmt::format(" and {} more", found.size() - kNamed) : text;
}

/// "Missing: job: sailor (60)." for all columns; empty for none.
template <typename List>
std::string listedOfAll(const std::vector<CategoryDifference>& columns, const char* begin, const List& list) {
    std::string text;
    std::size_t more = 0;
    std::size_t named = 0;
    for (const CategoryDifference& column : columns) {
        const std::string one = list(column);
        if (one.empty())
            continue;
        if (named++ < kNamed)
            text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", columnNameOf(column), one);
        else
            ++more;
    }
    if (text.empty())
        return text;
    return begin + text + (more > 0 ? fmt::format("; {}", counted(more, "more column", "more columns")) : "") + ".";
}

} // namespace

std::string featureNameOf(const EmbeddingSet& real, std::uint32_t feature) {
    const std::vector<std::string>& names = real.source().columnNames;
    return feature < names.size() ? utf8OrEscaped(names[feature]) : "feature " + std::to_string(feature);
}

std::string correlationText(double value) {
    return fmt::format("{:.2f}", std::abs(value) < 0.005 ? 0.0 : value);
}

std::string columnNameOf(const CategoryDifference& column) {
    return column.column.empty() ? "feature " + std::to_string(column.feature) : utf8OrEscaped(column.column);
}

std::string missingCategories(const CategoryDifference& column) {
    return listed(column, [](const CategoryCounts& one) { return one.isMissing(); });
}

std::string inventedCategories(const CategoryDifference& column) {
    return listed(column, [](const CategoryCounts& one) { return one.isInvented(); });
}

std::string featureSentence(const EmbeddingSet& real, const ModelAudit& model) {
    constexpr double kBeyondChance = 3.0; // times what chance makes: scatter alone hardly ever comes that far
    const auto differs = [](const FeatureDifference& one) { return one.distance > kBeyondChance * one.byChance; };
    const std::vector<FeatureDifference>& features = model.featureDifferences.features;
    const auto most = std::ranges::find_if(features, differs); // the first: they come by their distance
    std::string text = "No feature differs by more than chance.";
    if (most != features.end()) {
        const auto count = static_cast<std::size_t>(std::ranges::count_if(features, differs));
        const bool isOfText = FeatureLayout::of(*real.preparation(), real.dim()).textAt(most->feature) != nullptr;
        text = fmt::format("Features that differ by more than chance: {} of {}. The largest difference: {}, {}.",
                           countText(count), countText(features.size()), featureNameOf(real, most->feature),
                           !std::isinf(most->relativeDistance())
                               ? "by " + roundedText(most->relativeDistance()) + " standard deviations"
                           : most->realMean == 0.0 && isOfText ? "which no real sample has"
                                                               : "which is constant in the real set");
    }
    const FeatureDifferences& compared = model.featureDifferences;
    if (compared.realRows < real.rows() || compared.syntheticRows < model.set->rows())
        text += fmt::format(" Compared from {} real and {} synthetic samples.", countText(compared.realRows),
                            countText(compared.syntheticRows));
    return text;
}

std::string correlationSentence(const EmbeddingSet& real, const ModelAudit& model) {
    const CorrelationDifferences& found = model.tableDifferences.correlations;
    if (found.compared == 0)
        return "No pair of features can be compared: it takes two features that vary in both sets.";
    std::string text;
    if (found.differing == 0)
        text =
            fmt::format("None of {} is correlated differently by more than chance.",
                        countText(found.compared) + (found.compared == 1 ? " pair of features" : " pairs of features"));
    else {
        const CorrelationDifference& most = found.pairs.front();
        text = fmt::format(
            "{} of {} {} correlated differently. The largest difference: {} and {}, {} in the real "
            "set and {} in the synthetic one.",
            countText(found.differing),
            countText(found.compared) + (found.compared == 1 ? " pair of features" : " pairs of features"),
            found.differing == 1 ? "is" : "are", shownText(featureNameOf(real, most.first)),
            shownText(featureNameOf(real, most.second)), correlationText(most.real), correlationText(most.synthetic));
    }
    if (found.leftOut > 0)
        text += fmt::format(" Only pairs of the {} features that differ most were compared; {} were not.",
                            countText(CorrelationDifferences::kMaxFeatures), countText(found.leftOut));
    if (found.tooRare > 0)
        text +=
            fmt::format(" {} left out: {} spread rests on too few samples.",
                        counted(found.tooRare, "feature was", "features were"), found.tooRare == 1 ? "its" : "their");
    if (found.realRows < real.rows() || found.syntheticRows < model.set->rows())
        text += fmt::format(" Compared from {} real and {} synthetic samples.", countText(found.realRows),
                            countText(found.syntheticRows));
    return text;
}

std::string categorySentence(const ModelAudit& model) {
    const std::vector<CategoryDifference>& columns = model.tableDifferences.categories;
    if (columns.empty())
        return "There are no categories: no column holds text.";
    const std::string missing =
        listedOfAll(columns, "Missing in the synthetic set (real samples): ", missingCategories);
    const std::string invented =
        listedOfAll(columns, "Invented, not in the real set (synthetic samples): ", inventedCategories);
    if (missing.empty() && invented.empty())
        return "No category is missing or invented by more than chance.";
    return missing + (missing.empty() || invented.empty() ? "" : " ") + invented;
}

std::string missingValueSentence(const ModelAudit& model) {
    const TableDifferences& found = model.tableDifferences;
    if (!found.missingUnknown.empty())
        return found.missingUnknown;
    if (found.missing.empty())
        return "No value is missing in either set.";
    const auto differing = static_cast<std::size_t>(
        std::ranges::count_if(found.missing, [](const MissingRate& rate) { return rate.differs(); }));
    if (differing == 0)
        return fmt::format("Values are missing in {}, about as often in both sets.",
                           counted(found.missing.size(), "column", "columns"));
    const auto most = std::ranges::find_if(found.missing, [](const MissingRate& rate) { return rate.differs(); });
    const std::string column =
        most->column.empty() ? "feature " + std::to_string(most->feature) : shownText(most->column);
    const std::string rates = fmt::format("missing in {} of the real and {} of the synthetic samples.",
                                          percentText(most->realRate()), percentText(most->syntheticRate()));
    if (found.missing.size() == 1)
        return fmt::format("Values of {} are {}", column, rates);
    return fmt::format("Values are missing more or less often than in the real set in {} of {} columns. The largest "
                       "difference: {}, {}",
                       countText(differing), countText(found.missing.size()), column, rates);
}

namespace {

constexpr std::size_t kFewValues = 12; // that have a bar each
constexpr double kCollected = 0.005;   // share of the values that the first and the last bar may collect

/// Code of each row: index of its category, or another small number.
using RowCodes = std::vector<std::size_t>;

/// Gives the bars to the most frequent of `names`, in their order, and one to all others where there are more.
void takeCodes(FeatureBars& bars, const std::array<RowCodes, 2>& codes, const std::vector<std::string>& names) {
    const std::size_t count = names.size();
    std::vector<double> largest(count, 0.0);
    for (const RowCodes& side : codes) {
        std::vector<double> shares(count, 0.0);
        for (const std::size_t code : side)
            shares[code] += 1.0 / static_cast<double>(side.size());
        for (std::size_t c = 0; c < count; ++c)
            largest[c] = std::max(largest[c], shares[c]);
    }
    std::vector<std::size_t> order;
    for (std::size_t c = 0; c < count; ++c)
        if (largest[c] > 0.0)
            order.push_back(c);
    const bool all = order.size() <= FeatureBars::kMax;
    if (!all) {
        std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t c) { return largest[c]; });
        order.resize(FeatureBars::kMax - 1);
        std::ranges::sort(order);
    }
    std::vector<std::uint8_t> barOfCode(count, static_cast<std::uint8_t>(order.size()));
    for (std::size_t b = 0; b < order.size(); ++b) {
        barOfCode[order[b]] = static_cast<std::uint8_t>(b);
        bars.names.push_back(names[order[b]]);
    }
    if (!all)
        bars.names.emplace_back("(all others)");
    for (std::size_t side = 0; side < 2; ++side)
        for (const std::size_t code : codes[side])
            bars.sides[side].barOfRow.push_back(barOfCode[code]);
    for (std::size_t b = 0; b <= bars.names.size(); ++b)
        bars.edges.push_back(static_cast<double>(b) - 0.5);
}

void takeText(FeatureBars& bars, const std::array<MatrixView, 2>& sets, const ValuePreparation& preparation,
              const FeatureLayout::Text& text) {
    std::array<RowCodes, 2> codes;
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t row = 0; row < sets[side].rows; ++row)
            codes[side].push_back(categoryOf(preparation, text, sets[side].row(row)));
    std::vector<std::string> names;
    for (const std::string& category : preparation.categories[text.source].categories)
        names.push_back(category.empty() ? "(empty)" : category);
    names.emplace_back("(invented)");
    takeCodes(bars, codes, names);
}

void takeGap(FeatureBars& bars, const std::array<MatrixView, 2>& sets, const ValuePreparation& preparation,
             std::size_t indicator) {
    std::array<RowCodes, 2> codes;
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t row = 0; row < sets[side].rows; ++row) {
            const auto value = static_cast<double>(sets[side].rowData(row)[indicator]);
            codes[side].push_back(inFile(preparation, indicator, value) > 0.0 ? 1 : 0);
        }
    takeCodes(bars, codes, {"present", "missing"});
}

/// Values of a column in the unit of the file; NaN where one is missing.
std::vector<double> featureValues(MatrixView set, const ValuePreparation& preparation, std::size_t feature,
                                  const FeatureLayout& layout) {
    const auto gap = std::ranges::find(layout.gaps, feature, &FeatureLayout::Gap::of);
    std::vector<double> values(set.rows);
    for (std::size_t row = 0; row < set.rows; ++row) {
        const float* from = set.rowData(row);
        const bool missing = gap != layout.gaps.end() && from[gap->indicator] > 0.0F;
        values[row] = missing ? std::numeric_limits<double>::quiet_NaN()
                              : inFile(preparation, feature, static_cast<double>(from[feature]));
    }
    return values;
}

/// The distinct numbers, ascending; empty for more than kFewValues of them, and where most occur once: those are
/// measurements, of which there are few.
std::vector<double> fewValues(const std::array<std::vector<double>, 2>& values) {
    std::set<double> found;
    std::size_t present = 0;
    for (const std::vector<double>& side : values)
        for (const double value : side) {
            if (std::isnan(value))
                continue;
            found.insert(value);
            ++present;
            if (found.size() > kFewValues)
                return {};
        }
    if (present < 2 * found.size())
        return {};
    return {found.begin(), found.end()};
}

void takeRanges(FeatureBars& bars, const std::array<std::vector<double>, 2>& values) {
    // Both sets count the same, whatever their sizes.
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const std::vector<double>& side : values) {
        std::vector<double> present;
        std::ranges::copy_if(side, std::back_inserter(present), [](double value) { return !std::isnan(value); });
        if (present.empty())
            continue;
        low = std::min(low, quantile(std::span(present), kCollected));
        high = std::max(high, quantile(std::span(present), 1.0 - kCollected));
    }
    if (!(high > low)) // nearly all values are one
        return;
    for (std::size_t b = 0; b <= FeatureBars::kMax; ++b)
        bars.edges.push_back(low + (high - low) * static_cast<double>(b) / static_cast<double>(FeatureBars::kMax));
    for (std::size_t side = 0; side < 2; ++side)
        for (const double value : values[side]) {
            const double place = (value - low) / (high - low) * static_cast<double>(FeatureBars::kMax);
            bars.sides[side].barOfRow.push_back(
                std::isnan(value)
                    ? FeatureBars::kNone
                    : static_cast<std::uint8_t>(std::clamp(std::floor(place), 0.0, double(FeatureBars::kMax - 1))));
        }
}

void takeNumbers(FeatureBars& bars, const std::array<std::vector<double>, 2>& values) {
    const std::vector<double> few = fewValues(values);
    if (few.empty()) {
        takeRanges(bars, values);
        return;
    }
    bars.values = few;
    for (std::size_t b = 0; b <= few.size(); ++b)
        bars.edges.push_back(static_cast<double>(b) - 0.5);
    for (std::size_t side = 0; side < 2; ++side)
        for (const double value : values[side])
            bars.sides[side].barOfRow.push_back(
                std::isnan(value) ? FeatureBars::kNone
                                  : static_cast<std::uint8_t>(std::ranges::lower_bound(few, value) - few.begin()));
}

void countShown(FeatureBars::Side& side, std::size_t bars, const SampleSet* shown) {
    side.counts.assign(bars, 0);
    for (std::size_t row = 0; row < side.barOfRow.size(); ++row) {
        if (shown != nullptr && !shown->contains({side.set, static_cast<std::uint32_t>(row)}))
            continue;
        ++side.total;
        if (side.barOfRow[row] == FeatureBars::kNone)
            ++side.missing;
        else
            ++side.counts[side.barOfRow[row]];
    }
}

} // namespace

std::string columnNameOf(const EmbeddingSet& real, std::uint32_t feature) {
    const ValuePreparation& preparation = *real.preparation();
    const FeatureLayout layout = FeatureLayout::of(preparation, real.dim());
    if (const FeatureLayout::Text* text = layout.textAt(feature);
        text != nullptr && !preparation.categories[text->source].name.empty())
        return preparation.categories[text->source].name;
    return featureNameOf(real, static_cast<std::uint32_t>(layout.sourceOf(feature)));
}

double FeatureBars::share(std::size_t side, std::size_t bar) const {
    const Side& of = sides[side];
    return of.total > 0 ? static_cast<double>(of.counts[bar]) / static_cast<double>(of.total) : 0.0;
}

SampleSet FeatureBars::samplesIn(std::size_t side, std::size_t bar) const {
    const Side& of = sides[side];
    return SampleSet::where(of.set, of.barOfRow.size(), [&](std::size_t row) { return of.barOfRow[row] == bar; });
}

FeatureBars FeatureBars::of(const EmbeddingSet& real, const EmbeddingSet& synthetic, SetId set, std::uint32_t feature,
                            const SampleSet* shown) {
    FeatureBars bars;
    if (feature >= real.dim() || synthetic.dim() != real.dim() || !real.isWhole() || !synthetic.isWhole())
        return bars;
    const ValuePreparation& preparation = *real.preparation();
    const FeatureLayout layout = FeatureLayout::of(preparation, real.dim());
    const std::array<MatrixView, 2> sets{real.matrix(), synthetic.matrix()};
    bars.sides[0].set = SetId::Real;
    bars.sides[1].set = set;
    bars.title = columnNameOf(real, feature);
    if (const FeatureLayout::Text* text = layout.textAt(feature))
        takeText(bars, sets, preparation, *text);
    else if (layout.gapAt(feature) != nullptr)
        takeGap(bars, sets, preparation, feature);
    else
        takeNumbers(bars, {featureValues(sets[0], preparation, feature, layout),
                           featureValues(sets[1], preparation, feature, layout)});
    for (Side& side : bars.sides)
        countShown(side, bars.count(), shown);
    return bars;
}

} // namespace assay

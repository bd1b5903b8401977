#include "engine/report/scores/feature_bars.h"

#include "engine/data/embedding_set.h"
#include "engine/data/feature_layout.h"
#include "engine/math/statistics/quantile.h"
#include "engine/report/scores/table_sentences.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

namespace assay {
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

#include "engine/metrics/features/table_differences.h"

#include "engine/data/embedding_set.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/significance_tests.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <tuple>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kFewestRows = 4;
/// A feature is too rare if its fourth moment is above rows / kRareRows: with k ones in n rows it is about n / k. Of
/// few rows that would be too strict: a normal distribution has 3.
constexpr double kRareRows = 20.0;
constexpr double kAllowedMoment = 8.0;
constexpr double kTwoSided95 = 1.959963984540054;
/// Correlations beyond this are taken as 1: atanh stays finite.
constexpr double kLargestCorrelation = 1.0 - 1e-12;

/// Evenly spaced rows of some features of a set.
struct Sample {
    MatrixView set;
    std::size_t rows = 0;
    std::vector<std::uint32_t> features;

    const float* row(std::size_t r) const { return set.rowData(r * set.rows / rows); }
};

struct Standards {
    std::vector<double> mean;
    std::vector<double> scale; ///< 1 / deviation; 0 for a constant feature
};

Standards standardsOf(const Sample& sample) {
    const std::size_t count = sample.features.size();
    const auto n = static_cast<double>(sample.rows);
    Standards standards{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0)};
    const auto forEach = [&](auto visit) {
        for (std::size_t r = 0; r < sample.rows; ++r) {
            const float* row = sample.row(r);
            for (std::size_t f = 0; f < count; ++f)
                visit(f, static_cast<double>(row[sample.features[f]]));
        }
    };
    std::vector<bool> varies(count, false); // exactly, whatever the mean rounds to
    const float* first = sample.row(0);
    forEach([&](std::size_t f, double value) {
        standards.mean[f] += value / n;
        varies[f] = varies[f] || value != static_cast<double>(first[sample.features[f]]);
    });
    forEach([&](std::size_t f, double value) {
        standards.scale[f] += (value - standards.mean[f]) * (value - standards.mean[f]) / n;
    });
    for (std::size_t f = 0; f < count; ++f)
        standards.scale[f] = varies[f] && standards.scale[f] > 0.0 ? 1.0 / std::sqrt(standards.scale[f]) : 0.0;
    return standards;
}

/// Means of products of the standardised features x: of x y, x^2 y^2 and x^3 y.
struct PowerMeans {
    DoubleMatrix xy;   ///< the lower triangle
    DoubleMatrix xxyy; ///< the lower triangle
    DoubleMatrix xxxy; ///< row: the feature that is cubed
    double rows = 0.0;

    double correlation(std::size_t i, std::size_t j) const {
        return std::clamp(xy.at(std::max(i, j), std::min(i, j)) / rows, -1.0, 1.0);
    }
    double fourth(std::size_t i) const { return xxyy.at(i, i) / rows; }
    /// Variance of the correlation, times the number of rows.
    double variance(std::size_t i, std::size_t j) const {
        const double r = correlation(i, j);
        const double squares = xxyy.at(std::max(i, j), std::min(i, j)) / rows;
        const double cubes = (xxxy.at(i, j) + xxxy.at(j, i)) / rows;
        const double all = squares - r * cubes + r * r / 4.0 * (fourth(i) + 2.0 * squares + fourth(j));
        return std::max(all, 0.0);
    }
};

PowerMeans powerMeansOf(const Sample& sample, const ComputeContext& context) {
    const Standards standards = standardsOf(sample);
    const auto power = [&](int exponent) {
        const auto read = [&sample, &standards, exponent](std::size_t row, std::size_t first, std::size_t length,
                                                          double* to) {
            const float* from = sample.row(row);
            for (std::size_t f = first; f < first + length; ++f) {
                const double x =
                    (static_cast<double>(from[sample.features[f]]) - standards.mean[f]) * standards.scale[f];
                to[f - first] = exponent == 1 ? x : exponent == 2 ? x * x : x * x * x;
            }
        };
        return ProductVectors{sample.features.size(), sample.rows, ProductVectors::Are::Columns, read};
    };
    const unsigned threads = context.threads;
    return {gramOf(power(1), threads, context.job.part({}, 0.0, 0.2)),
            gramOf(power(2), threads, context.job.part({}, 0.2, 0.5)),
            productOf(power(3), power(1), threads, context.job.part({}, 0.5, 1.0)), static_cast<double>(sample.rows)};
}

/// A correlation with its Fisher transform.
struct FisherCorrelation {
    double value = 0.0;
    double z = 0.0;
    double zVariance = 0.0;

    FisherCorrelation(const PowerMeans& means, std::size_t i, std::size_t j)
        : value(means.correlation(i, j)), z(std::atanh(std::clamp(value, -kLargestCorrelation, kLargestCorrelation))) {
        const double slope = 1.0 - std::pow(std::tanh(z), 2);
        zVariance = means.variance(i, j) / means.rows / (slope * slope);
    }
    double low() const { return std::tanh(z - kTwoSided95 * std::sqrt(zVariance)); }
    double high() const { return std::tanh(z + kTwoSided95 * std::sqrt(zVariance)); }
};

double pValueOf(const FisherCorrelation& a, const FisherCorrelation& b) {
    const double deviation = std::sqrt(a.zVariance + b.zVariance);
    const double apart = std::abs(a.z - b.z);
    if (deviation > 0.0)
        return std::erfc(apart / deviation / std::numbers::sqrt2);
    return apart < 1e-6 ? 1.0 : 0.0;
}

CorrelationDifference differenceOf(const PowerMeans& ofReal, const PowerMeans& ofSynthetic, std::size_t i,
                                   std::size_t j) {
    const FisherCorrelation real(ofReal, i, j);
    const FisherCorrelation synthetic(ofSynthetic, i, j);
    const double apart = synthetic.value - real.value;
    const double scatter = 1.0 / ofReal.rows + 1.0 / ofSynthetic.rows;
    return {.real = real.value,
            .synthetic = synthetic.value,
            .low = apart - std::hypot(synthetic.value - synthetic.low(), real.high() - real.value),
            .high = apart + std::hypot(synthetic.high() - synthetic.value, real.value - real.low()),
            .byChance = std::sqrt(2.0 * std::numbers::inv_pi * scatter * ofReal.variance(i, j)),
            .pValue = pValueOf(real, synthetic)};
}

/// Features that vary enough on both sides.
std::vector<std::size_t> usableFeatures(const PowerMeans& real, const PowerMeans& synthetic, std::size_t count) {
    std::vector<std::size_t> usable;
    for (std::size_t f = 0; f < count; ++f) {
        const auto isRare = [f](const PowerMeans& of) {
            return of.fourth(f) <= 0.0 || of.fourth(f) > std::max(of.rows / kRareRows, kAllowedMoment);
        };
        if (!isRare(real) && !isRare(synthetic))
            usable.push_back(f);
    }
    return usable;
}

void keepMostDifferent(CorrelationDifferences& result) {
    std::vector<CorrelationDifference>& pairs = result.pairs;
    std::vector<double> pValues;
    pValues.reserve(pairs.size());
    for (const CorrelationDifference& pair : pairs)
        pValues.push_back(pair.pValue);
    const std::vector<double> adjusted = benjaminiHochberg(pValues);
    for (std::size_t p = 0; p < pairs.size(); ++p)
        pairs[p].pValue = adjusted[p];
    const auto rank = [](const CorrelationDifference& pair) {
        return std::tuple(!pair.differs(), -std::abs(pair.difference()), pair.first, pair.second);
    };
    std::ranges::sort(pairs, {}, rank);
    result.compared = pairs.size();
    result.differing =
        static_cast<std::size_t>(std::ranges::count_if(pairs, [](const auto& pair) { return pair.differs(); }));
    pairs.resize(std::min(pairs.size(), CorrelationDifferences::kMaxKept));
}

} // namespace

std::size_t correlationRows(std::size_t rows, std::size_t features) noexcept {
    constexpr std::size_t kMaxProducts = 400'000'000;
    constexpr std::size_t kFewest = 4'000;
    constexpr std::size_t kMost = 20'000;
    return std::min(rows, std::clamp(kMaxProducts / std::max<std::size_t>(features * features, 1), kFewest, kMost));
}

CorrelationDifferences correlationDifferences(MatrixView real, MatrixView synthetic,
                                              std::span<const std::uint32_t> order, const FeatureLayout& layout,
                                              const ComputeContext& context) {
    CorrelationDifferences result;
    if (std::min(real.rows, synthetic.rows) < kFewestRows || order.size() < 2)
        return result;
    std::vector<std::uint32_t> features(order.begin(), order.end());
    features.resize(std::min(features.size(), CorrelationDifferences::kMaxFeatures));
    std::ranges::sort(features);
    result.realRows = correlationRows(real.rows, features.size());
    result.syntheticRows = correlationRows(synthetic.rows, features.size());
    const PowerMeans ofReal = powerMeansOf({real, result.realRows, features}, context.part(0.0, 0.5));
    const PowerMeans ofSynthetic = powerMeansOf({synthetic, result.syntheticRows, features}, context.part(0.5, 1.0));
    const std::vector<std::size_t> usable = usableFeatures(ofReal, ofSynthetic, features.size());
    result.features = usable.size();
    result.leftOut = order.size() - features.size();
    result.tooRare = features.size() - usable.size();
    for (std::size_t b = 0; b < usable.size(); ++b)
        for (std::size_t a = 0; a < b; ++a) {
            const std::uint32_t first = features[usable[a]];
            const std::uint32_t second = features[usable[b]];
            if (layout.sourceOf(first) == layout.sourceOf(second))
                continue;
            result.pairs.push_back(differenceOf(ofReal, ofSynthetic, usable[a], usable[b]));
            result.pairs.back().first = first;
            result.pairs.back().second = second;
        }
    keepMostDifferent(result);
    return result;
}

namespace {

double expectedDifference(double share, double n, double m) {
    return std::sqrt(2.0 * std::numbers::inv_pi * share * (1.0 - share) * (1.0 / n + 1.0 / m));
}

/// Probability that all `count` of n + m samples are among the n.
double allOnOneSide(std::size_t count, std::size_t n, std::size_t m) {
    double p = 1.0;
    for (std::size_t i = 0; i < count && p > 0.0; ++i)
        p *= static_cast<double>(n - i) / static_cast<double>(n + m - i);
    return p;
}

std::vector<std::size_t> countsOf(const EmbeddingSet& set, const ValuePreparation& preparation,
                                  const FeatureLayout::Text& text) {
    std::vector<std::size_t> counts(text.count, 0);
    const MatrixView matrix = set.matrix();
    for (std::size_t row = 0; row < matrix.rows; ++row)
        ++counts[categoryOf(preparation, text, matrix.row(row))];
    return counts;
}

/// Categories that the real set does not have: by their texts where the file's reader counted as many, else together.
void addInvented(std::vector<CategoryCounts>& categories, const EmbeddingSet& synthetic, std::size_t source,
                 std::size_t count) {
    if (count == 0)
        return;
    constexpr std::size_t kNamedTogether = 5;
    std::vector<CategoryCounts> found;
    std::size_t counted = 0;
    for (const UnknownText& one : synthetic.source().unknownTexts)
        if (one.column == source) {
            found.push_back({.text = one.text, .synthetic = one.count});
            counted += one.count;
        }
    if (counted != count) { // rows were left out since, or there were too many texts to count each
        std::string together;
        for (std::size_t i = 0; i < std::min(found.size(), kNamedTogether); ++i)
            together += (i == 0 ? "" : ", ") + found[i].text;
        const bool all = counted > count && found.size() <= kNamedTogether;
        found = {{.text = together.empty() ? "(other)" : together + (all ? "" : ", ..."), .synthetic = count}};
    }
    categories.insert(categories.end(), found.begin(), found.end());
}

CategoryDifference categoriesOf(const EmbeddingSet& real, const EmbeddingSet& synthetic,
                                const FeatureLayout::Text& text) {
    const ValuePreparation& preparation = *real.preparation();
    const CategoryColumn& column = preparation.categories[text.source];
    const std::vector<std::size_t> ofReal = countsOf(real, preparation, text);
    const std::vector<std::size_t> ofSynthetic = countsOf(synthetic, preparation, text);
    const auto n = static_cast<double>(real.matrix().rows);
    const auto m = static_cast<double>(synthetic.matrix().rows);
    CategoryDifference result;
    result.column = column.name;
    result.feature = static_cast<std::uint32_t>(text.first);
    for (std::size_t c = 0; c < text.count; ++c) {
        const double share = static_cast<double>(ofReal[c]) / n;
        result.distance += std::abs(share - static_cast<double>(ofSynthetic[c]) / m) / 2.0;
        result.byChance += expectedDifference(share, n, m) / 2.0;
        if (c < column.categories.size())
            result.categories.push_back({.text = column.categories[c], .real = ofReal[c], .synthetic = ofSynthetic[c]});
    }
    addInvented(result.categories, synthetic, text.source, ofSynthetic.back());
    return result;
}

std::vector<CategoryDifference> compareCategories(const EmbeddingSet& real, const EmbeddingSet& synthetic,
                                                  const FeatureLayout& layout, const JobContext& job) {
    std::vector<CategoryDifference> columns;
    columns.reserve(layout.texts.size());
    for (const FeatureLayout::Text& text : layout.texts) {
        job.throwIfStopped();
        columns.push_back(categoriesOf(real, synthetic, text));
    }
    const std::size_t n = real.matrix().rows;
    const std::size_t m = synthetic.matrix().rows;
    std::vector<double> pValues;
    for (const CategoryDifference& column : columns)
        for (const CategoryCounts& one : column.categories)
            pValues.push_back(one.isMissing()    ? allOnOneSide(one.real, n, m)
                              : one.isInvented() ? allOnOneSide(one.synthetic, m, n)
                                                 : 1.0);
    const std::vector<double> adjusted = benjaminiHochberg(pValues);
    std::size_t next = 0;
    for (CategoryDifference& column : columns)
        for (CategoryCounts& one : column.categories)
            one.pValue = adjusted[next++];
    std::ranges::stable_sort(columns, std::ranges::greater(),
                             [](const CategoryDifference& one) { return one.distance - one.byChance; });
    return columns;
}

/// Missing values of each column, counted in the same order on both sides.
class MissingValues {
public:
    MissingValues(const EmbeddingSet& real, const EmbeddingSet& synthetic, const FeatureLayout& layout)
        : real_(real), synthetic_(synthetic), layout_(layout), preparation_(*real.preparation()) {}

    std::vector<MissingRate> rates() const {
        std::vector<MissingRate> rates;
        rates.reserve(layout_.gaps.size() + layout_.texts.size());
        for (const FeatureLayout::Gap& gap : layout_.gaps)
            rates.push_back(rateOf(gap));
        for (const FeatureLayout::Text& text : layout_.texts)
            rates.push_back(rateOf(text));
        addDropped(rates);
        std::erase_if(rates, [](const MissingRate& rate) { return rate.real + rate.synthetic == 0; });
        return rates;
    }

private:
    MissingRate begun(std::string name, std::size_t feature) const {
        return {.column = std::move(name),
                .feature = static_cast<std::uint32_t>(feature),
                .realRows = real_.matrix().rows,
                .syntheticRows = synthetic_.matrix().rows};
    }
    std::string nameOf(std::size_t column) const {
        const std::vector<std::string>& names = real_.source().columnNames;
        return column < names.size() ? names[column] : std::string();
    }

    MissingRate rateOf(const FeatureLayout::Gap& gap) const {
        const auto count = [&](const EmbeddingSet& set) {
            const MatrixView matrix = set.matrix();
            std::size_t missing = 0;
            for (std::size_t row = 0; row < matrix.rows; ++row)
                missing +=
                    inFile(preparation_, gap.indicator, static_cast<double>(matrix.rowData(row)[gap.indicator])) > 0.0
                        ? 1
                        : 0;
            return missing;
        };
        MissingRate rate = begun(nameOf(gap.of), gap.of);
        rate.real = count(real_);
        rate.synthetic = count(synthetic_);
        return rate;
    }

    /// A text column, in which empty texts are missing ones; so is "(missing)", which all are read as that are kept as
    /// a category of their own.
    MissingRate rateOf(const FeatureLayout::Text& text) const {
        const CategoryColumn& column = preparation_.categories[text.source];
        const auto isMissing = [](const std::string& one) { return one.empty() || one == "(missing)"; };
        const std::vector<std::size_t> ofReal = countsOf(real_, preparation_, text);
        const std::vector<std::size_t> ofSynthetic = countsOf(synthetic_, preparation_, text);
        MissingRate rate = begun(column.name, text.first);
        for (std::size_t c = 0; c < column.categories.size(); ++c)
            if (isMissing(column.categories[c])) {
                rate.real += ofReal[c];
                rate.synthetic += ofSynthetic[c];
            }
        std::vector<CategoryCounts> invented;
        addInvented(invented, synthetic_, text.source, ofSynthetic.back());
        for (const CategoryCounts& one : invented)
            if (isMissing(one.text))
                rate.synthetic += one.synthetic;
        return rate;
    }

    /// Values of rows that were left out for them.
    void addDropped(std::vector<MissingRate>& rates) const {
        const std::vector<std::size_t>& ofReal = real_.source().droppedValues;
        const std::vector<std::size_t>& ofSynthetic = synthetic_.source().droppedValues;
        for (std::size_t c = 0; c < std::max(ofReal.size(), ofSynthetic.size()); ++c) {
            MissingRate rate = begun(nameOf(c), c);
            rate.real = c < ofReal.size() ? ofReal[c] : 0;
            rate.synthetic = c < ofSynthetic.size() ? ofSynthetic[c] : 0;
            rate.realRows += real_.source().droppedRows.size();
            rate.syntheticRows += synthetic_.source().droppedRows.size();
            rates.push_back(std::move(rate));
        }
    }

    const EmbeddingSet& real_;
    const EmbeddingSet& synthetic_;
    const FeatureLayout& layout_;
    const ValuePreparation& preparation_;
};

std::string whyMissingIsUnknown(const EmbeddingSet& real, const EmbeddingSet& synthetic, const FeatureLayout& layout) {
    const ValuePreparation& preparation = *real.preparation();
    if (preparation.missing == Missing::Indicate && layout.gaps.size() < preparation.filled.size())
        return "Missing values are not counted: the columns were replaced by principal components.";
    const auto lacksCounts = [](const EmbeddingSet& set) {
        return !set.source().droppedRows.empty() && set.source().droppedValues.empty();
    };
    if (lacksCounts(real) || lacksCounts(synthetic))
        return "Missing values are not counted by column: rows with missing values were left out at loading, and the "
               "audit file does not say which columns they were in.";
    return {};
}

void addMissing(TableDifferences& result, const EmbeddingSet& real, const EmbeddingSet& synthetic,
                const FeatureLayout& layout) {
    result.missingUnknown = whyMissingIsUnknown(real, synthetic, layout);
    if (!result.missingUnknown.empty())
        return;
    result.missing = MissingValues(real, synthetic, layout).rates();
    std::vector<double> pValues;
    pValues.reserve(result.missing.size());
    for (const MissingRate& rate : result.missing)
        pValues.push_back(twoSharesPValue(rate.real, rate.realRows, rate.synthetic, rate.syntheticRows));
    const std::vector<double> adjusted = benjaminiHochberg(pValues);
    for (std::size_t r = 0; r < result.missing.size(); ++r)
        result.missing[r].pValue = adjusted[r];
    std::ranges::stable_sort(result.missing, std::ranges::greater(),
                             [](const MissingRate& rate) { return std::abs(rate.syntheticRate() - rate.realRate()); });
}

} // namespace

double MissingRate::realRate() const noexcept {
    return realRows > 0 ? static_cast<double>(real) / static_cast<double>(realRows) : 0.0;
}

double MissingRate::syntheticRate() const noexcept {
    return syntheticRows > 0 ? static_cast<double>(synthetic) / static_cast<double>(syntheticRows) : 0.0;
}

double MissingRate::byChance() const noexcept {
    return realRows > 0 && syntheticRows > 0
               ? expectedDifference(realRate(), static_cast<double>(realRows), static_cast<double>(syntheticRows))
               : 0.0;
}

TableDifferences tableDifferences(const EmbeddingSet& real, const EmbeddingSet& synthetic,
                                  const FeatureDifferences& features, const ComputeContext& context) {
    const FeatureLayout layout = FeatureLayout::of(*real.preparation(), real.dim());
    TableDifferences result;
    std::vector<std::uint32_t> order;
    order.reserve(features.features.size());
    for (const FeatureDifference& feature : features.features)
        order.push_back(feature.feature);
    result.correlations =
        correlationDifferences(real.matrix(), synthetic.matrix(), order, layout, context.part(0.0, 0.8));
    result.categories = compareCategories(real, synthetic, layout, context.part(0.8, 1.0).job);
    addMissing(result, real, synthetic, layout);
    return result;
}

} // namespace assay

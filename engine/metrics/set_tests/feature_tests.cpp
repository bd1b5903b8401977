#include "engine/metrics/set_tests/feature_tests.h"

#include "engine/base/parallel.h"
#include "engine/math/statistics/conformal.h"
#include "engine/math/statistics/exact_tests.h"
#include "engine/math/statistics/kolmogorov.h"
#include "engine/math/statistics/radix_sort.h"
#include "engine/metrics/features/feature_differences.h"
#include "engine/metrics/set_tests/differing_pairs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>

namespace assay {
namespace {

constexpr double kFeatureRate = 0.01; // false discoveries among features, and among categories
constexpr double kMinKolmogorov = 0.1;
constexpr double kConstantByChance = 0.001;
constexpr double kMinShareGap = 0.1;
constexpr double kMinShareRatio = 1.5;
constexpr std::size_t kDistinctForPairs = 20;

/// The first rows of both sets.
struct BothSets {
    const ComparedRows& real;
    const ComparedRows& synthetic;
    std::size_t realRows;
    std::size_t syntheticRows;
};

/// What sorted values of one feature say, for each set and of both.
struct FeatureFacts {
    struct OfSet {
        float lowest = 0.0F;
        float highest = 0.0F;
        std::size_t distinct = 0; ///< values other than 0; counted up to kDistinctForPairs
        std::size_t others = 0;   ///< values unlike the other set's lowest
        double median = 0.0;
        double width = 0.0; ///< interquartile range

        bool isConstant() const { return lowest == highest; }
    };
    OfSet real;
    OfSet synthetic;
    double distance = 0.0; ///< Kolmogorov's
};

double quantileOfSorted(std::span<const float> ascending, double share) {
    const double place = share * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto low = static_cast<double>(ascending[below]);
    const auto high = static_cast<double>(ascending[std::min(below + 1, ascending.size() - 1)]);
    return low + (place - static_cast<double>(below)) * (high - low);
}

FeatureFacts::OfSet factsOf(std::span<const float> ascending, float othersLowest) {
    FeatureFacts::OfSet facts{.lowest = ascending.front(), .highest = ascending.back()};
    for (auto at = ascending.begin(); at != ascending.end() && facts.distinct < kDistinctForPairs;) {
        facts.distinct += *at != 0.0F ? 1 : 0;
        at = std::upper_bound(at, ascending.end(), *at);
    }
    const auto [firstEqual, lastEqual] = std::equal_range(ascending.begin(), ascending.end(), othersLowest);
    facts.others = ascending.size() - static_cast<std::size_t>(lastEqual - firstEqual);
    facts.median = quantileOfSorted(ascending, 0.5);
    facts.width = quantileOfSorted(ascending, 0.75) - quantileOfSorted(ascending, 0.25);
    return facts;
}

/// Some features of a set, each of which has its values in one piece.
class GatheredFeatures {
public:
    void read(const ComparedRows& set, std::size_t rows, std::span<const std::uint32_t> features,
              const ComputeContext& context) {
        constexpr std::size_t kRowsAtOnce = 1024;
        values_.resize(features.size());
        for (std::vector<float>& one : values_)
            one.resize(rows);
        parallelRanges(rows, kRowsAtOnce, context.threads, context.job.silent(),
                       [&](std::size_t first, std::size_t last, unsigned) {
                           for (std::size_t r = first; r < last; ++r) {
                               const auto row = set.row(r);
                               for (std::size_t f = 0; f < features.size(); ++f)
                                   values_[f][r] = row[features[f]];
                           }
                       });
    }
    std::vector<float>& operator[](std::size_t f) { return values_[f]; }

private:
    std::vector<std::vector<float>> values_;
};

/// Sorts each feature of both sets, some of them at a time.
std::vector<FeatureFacts> factsOf(const BothSets& sets, std::span<const std::uint32_t> features,
                                  const ComputeContext& context) {
    constexpr std::size_t kValuesAtOnce = std::size_t{1} << 24; // 64 MB
    const std::size_t atOnce = std::clamp<std::size_t>(kValuesAtOnce / (sets.realRows + sets.syntheticRows), 1, 256);
    std::vector<FeatureFacts> facts(features.size());
    std::vector<RadixSort> sort(resolveThreads(context.threads));
    GatheredFeatures real;
    GatheredFeatures synthetic;
    for (std::size_t first = 0; first < features.size(); first += atOnce) {
        context.job.checkpoint(static_cast<double>(first) / static_cast<double>(features.size()));
        const auto some = features.subspan(first, std::min(atOnce, features.size() - first));
        real.read(sets.real, sets.realRows, some, context);
        synthetic.read(sets.synthetic, sets.syntheticRows, some, context);
        parallelFor(some.size(), context.threads, context.job.silent(), [&](std::size_t f, unsigned worker) {
            sort[worker](real[f]);
            sort[worker](synthetic[f]);
            facts[first + f] = {factsOf(real[f], synthetic[f].front()), factsOf(synthetic[f], real[f].front()),
                                kolmogorovDistance(real[f], synthetic[f])};
        });
    }
    return facts;
}

/// Sorts features by their facts: constant ones into the result.
/// @return places in `features` of those whose distributions are compared
std::vector<std::size_t> addConstants(FeatureTests& result, std::span<const std::uint32_t> features,
                                      std::span<const FeatureFacts> facts) {
    const double limit = kConstantByChance / static_cast<double>(result.dim);
    std::vector<std::size_t> varying;
    for (std::size_t f = 0; f < features.size(); ++f) {
        const auto& [real, synthetic, distance] = facts[f];
        if (real.isConstant() && fisherExact(synthetic.others, result.syntheticRows, 0, result.realRows) <= limit)
            result.constantInReal.push_back({features[f], static_cast<double>(real.lowest)});
        else if (synthetic.isConstant() && !real.isConstant() &&
                 fisherExact(0, result.syntheticRows, real.others, result.realRows) <= limit)
            result.constantInSynthetic.push_back({features[f], static_cast<double>(synthetic.lowest)});
        else if (!real.isConstant() || !synthetic.isConstant())
            varying.push_back(f);
    }
    return varying;
}

DifferingFeature differingFeature(std::uint32_t feature, const FeatureFacts& facts, double pValue) {
    constexpr double kDeviationsPerWidth = 1.349; // of a normal distribution
    constexpr double kMinShift = 0.15;            // of the interquartile range
    DifferingFeature result{.feature = feature, .distance = facts.distance, .pValue = pValue};
    const double width = facts.real.width;
    const double ratio = width > 0.0 ? facts.synthetic.width / width : 0.0;
    const double shift = facts.synthetic.median - facts.real.median;
    if (ratio > 0.0 && !(ratio > 0.67 && ratio < 1.5))
        result.widthRatio = ratio;
    else if (width > 0.0 && std::abs(shift) > kMinShift * width)
        result.shift = kDeviationsPerWidth * shift / width;
    return result;
}

void addFeatures(FeatureTests& result, std::span<const std::uint32_t> features, std::span<const FeatureFacts> facts,
                 std::span<const std::size_t> varying) {
    const auto n = static_cast<double>(result.realRows);
    const auto m = static_cast<double>(result.syntheticRows);
    std::vector<double> pValues;
    for (const std::size_t f : varying)
        pValues.push_back(kolmogorovTail(std::sqrt(n * m / (n + m)) * facts[f].distance));
    const std::vector<double> adjusted = benjaminiHochberg(pValues);
    for (std::size_t v = 0; v < varying.size(); ++v)
        if (const FeatureFacts& one = facts[varying[v]]; adjusted[v] <= kFeatureRate && one.distance >= kMinKolmogorov)
            result.features.push_back(differingFeature(features[varying[v]], one, adjusted[v]));
    std::ranges::stable_sort(result.features, std::greater(), &DifferingFeature::distance);
}

void addCategory(FeatureTests& result, const DifferingCategory& one) {
    const double real = static_cast<double>(one.real) / static_cast<double>(result.realRows);
    const double synthetic = static_cast<double>(one.synthetic) / static_cast<double>(result.syntheticRows);
    if (one.synthetic == 0)
        result.lostCategories.push_back(one);
    else if (one.real == 0)
        result.newCategories.push_back(one);
    else if (std::abs(real - synthetic) >= kMinShareGap ||
             std::max(real, synthetic) >= kMinShareRatio * std::min(real, synthetic))
        result.otherShares.push_back(one);
}

void addCategories(FeatureTests& result, const BothSets& sets, std::span<const OneHotColumns> columns,
                   const FeatureOrigin& origin, const ComputeContext& context) {
    const std::vector<std::size_t> real = categoryCounts(sets.real, sets.realRows, columns, origin, context);
    const std::vector<std::size_t> synthetic =
        categoryCounts(sets.synthetic, sets.syntheticRows, columns, origin, context);
    std::vector<double> pValues;
    for (std::size_t c = 0; c < real.size(); ++c)
        pValues.push_back(fisherExact(synthetic[c], result.syntheticRows, real[c], result.realRows));
    const std::vector<double> adjusted = benjaminiHochberg(pValues);
    std::size_t place = 0;
    for (const OneHotColumns& column : columns)
        for (std::uint32_t c = 0; c < column.count; ++c, ++place)
            if (adjusted[place] <= kFeatureRate)
                addCategory(result, {column, column.first + c, real[place], synthetic[place], adjusted[place]});
    std::ranges::stable_sort(result.lostCategories, std::greater(), &DifferingCategory::real);
    std::ranges::stable_sort(result.newCategories, std::greater(), &DifferingCategory::synthetic);
    std::ranges::stable_sort(result.otherShares, {}, [&](const DifferingCategory& one) {
        return std::tuple(one.pValue,
                          -std::abs(static_cast<double>(one.real) / static_cast<double>(result.realRows) -
                                    static_cast<double>(one.synthetic) / static_cast<double>(result.syntheticRows)));
    });
}

std::vector<std::uint32_t> withoutOneHot(std::size_t dim, std::span<const OneHotColumns> columns) {
    std::vector<bool> isOneHot(dim, false);
    for (const OneHotColumns& column : columns)
        std::fill_n(isOneHot.begin() + column.first, column.count, true);
    std::vector<std::uint32_t> others;
    for (std::uint32_t f = 0; f < dim; ++f)
        if (!isOneHot[f])
            others.push_back(f);
    return others;
}

} // namespace

FeatureTests testFeatures(const ComparedRows& real, const ComparedRows& synthetic, const FeatureOrigin& origin,
                          const ComputeContext& context) {
    const std::size_t dim = real.set.dim;
    const BothSets sets{real, synthetic, featureRows(real.size(), dim), featureRows(synthetic.size(), dim)};
    FeatureTests result{.realRows = sets.realRows, .syntheticRows = sets.syntheticRows, .dim = dim};
    const std::vector<OneHotColumns> oneHot =
        oneHotColumns({real, sets.realRows}, {synthetic, sets.syntheticRows}, origin, context.part(0.0, 0.05));
    addCategories(result, sets, oneHot, origin, context.part(0.05, 0.1));
    const std::vector<std::uint32_t> features = withoutOneHot(dim, oneHot);
    const std::vector<FeatureFacts> facts = factsOf(sets, features, context.part(0.1, 0.6));
    const std::vector<std::size_t> varying = addConstants(result, features, facts);
    addFeatures(result, features, facts, varying);
    std::vector<std::uint32_t> rich;
    for (const std::size_t f : varying)
        if (std::min(facts[f].real.distinct, facts[f].synthetic.distinct) >= kDistinctForPairs)
            rich.push_back(features[f]);
    result.pairs = differingPairs(real, synthetic, rich, context.part(0.6, 1.0));
    return result;
}

} // namespace assay

#include "engine/metrics/set_tests/feature_tests.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/quantile.h"
#include "engine/math/statistics/radix_sort.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/features/feature_differences.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
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

/// Facts about the sorted values of one feature, for each set and for both.
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

namespace {

constexpr std::size_t kMaxPairFeatures = 100;
constexpr std::size_t kMaxPairRows = 2'000;
constexpr std::size_t kPairDraws = 200;
constexpr double kDeviationsBeyondDraws = 5.0;
constexpr double kMinGap = 0.1;
/// A smaller variance, as a share of that of the pooled ranks, is rounding of single precision.
constexpr double kMinRankVariance = 1e-5;

/// Mean ranks of the values of one column, with mean 0 and variance 1; zeros for a constant column.
std::vector<double> standardRanks(std::span<const float> values) {
    std::vector<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t r) { return values[r]; });
    const double middle = 0.5 * (static_cast<double>(values.size()) - 1.0);
    std::vector<double> ranks(values.size());
    double squares = 0.0;
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;
        while (last < order.size() && values[order[last]] == values[order[first]])
            ++last;
        const double rank = 0.5 * static_cast<double>(first + last - 1) - middle;
        squares += rank * rank * static_cast<double>(last - first);
        for (; first < last; ++first)
            ranks[order[first]] = rank;
    }
    const double deviation = std::sqrt(squares / static_cast<double>(values.size()));
    for (double& rank : ranks)
        rank = deviation > 0.0 ? rank / deviation : 0.0;
    return ranks;
}

/// Sums over some rows: of each feature, and of the products of two.
struct RankSums {
    double rows = 0.0;
    std::vector<double> sum;
    std::vector<double> product; ///< f x f
};

/// Standardised ranks of chosen features among the rows of both sets, and the correlations of groups of rows.
class PooledRanks {
public:
    PooledRanks(const ComparedRows& real, const ComparedRows& synthetic, std::span<const std::uint32_t> features,
                const ComputeContext& context)
        : realRows_(std::min(real.size(), kMaxPairRows)), rows_(realRows_ + std::min(synthetic.size(), kMaxPairRows)),
          features_(features.size()), ranks_(rows_ * features_) {
        parallelFor(features_, context.threads, context.job.silent(), [&](std::size_t f, unsigned) {
            std::vector<float> values(rows_);
            for (std::size_t r = 0; r < rows_; ++r)
                values[r] = (r < realRows_ ? real.row(r) : synthetic.row(r - realRows_))[features[f]];
            const std::vector<double> ranks = standardRanks(values);
            for (std::size_t r = 0; r < rows_; ++r)
                ranks_[r * features_ + f] = static_cast<float>(ranks[r]);
        });
        std::vector<std::uint32_t> all(rows_);
        std::iota(all.begin(), all.end(), 0U);
        all_ = sumsOf(all);
    }

    std::size_t rows() const { return rows_; }
    std::size_t realRows() const { return realRows_; }

    /// Correlations of all pairs first < second within some rows and within all others.
    std::pair<std::vector<double>, std::vector<double>> correlations(std::span<const std::uint32_t> group) const {
        const RankSums in = sumsOf(group);
        RankSums out = all_;
        out.rows -= in.rows;
        std::ranges::transform(out.sum, in.sum, out.sum.begin(), std::minus());
        std::ranges::transform(out.product, in.product, out.product.begin(), std::minus());
        return {correlationsOf(in), correlationsOf(out)};
    }

private:
    RankSums sumsOf(std::span<const std::uint32_t> group) const {
        std::vector<float> values(group.size() * features_);
        for (std::size_t r = 0; r < group.size(); ++r)
            std::copy_n(ranks_.data() + group[r] * features_, features_, values.data() + r * features_);
        std::vector<float> product(features_ * features_);
        multiply({values.data(), group.size(), features_, FloatFactor::Use::Transposed},
                 {values.data(), group.size(), features_}, Into::Replace, product.data());
        RankSums sums{static_cast<double>(group.size()), std::vector<double>(features_, 0.0),
                      std::vector<double>(product.begin(), product.end())};
        for (std::size_t r = 0; r < group.size(); ++r)
            for (std::size_t f = 0; f < features_; ++f)
                sums.sum[f] += static_cast<double>(values[r * features_ + f]);
        return sums;
    }

    std::vector<double> correlationsOf(const RankSums& sums) const {
        const auto covariance = [&](std::size_t a, std::size_t b) {
            return sums.product[a * features_ + b] / sums.rows - sums.sum[a] / sums.rows * sums.sum[b] / sums.rows;
        };
        std::vector<double> scale(features_);
        for (std::size_t f = 0; f < features_; ++f) {
            const double variance = covariance(f, f);
            scale[f] = variance > kMinRankVariance ? 1.0 / std::sqrt(variance) : 0.0;
        }
        std::vector<double> result;
        result.reserve(features_ * (features_ - 1) / 2);
        for (std::size_t a = 0; a < features_; ++a)
            for (std::size_t b = a + 1; b < features_; ++b)
                result.push_back(std::clamp(covariance(a, b) * scale[a] * scale[b], -1.0, 1.0));
        return result;
    }

    std::size_t realRows_, rows_, features_;
    std::vector<float> ranks_; ///< rows x features, the real rows first
    RankSums all_;
};

/// Differences of the correlations of draws of labels, draws x pairs.
std::vector<std::vector<double>> drawnGaps(const PooledRanks& ranks, const ComputeContext& context) {
    const std::size_t smaller = std::min(ranks.realRows(), ranks.rows() - ranks.realRows());
    const std::uint64_t stream = streamSeed(context.seed, "pairs of features");
    std::vector<std::vector<double>> gaps(kPairDraws);
    parallelFor(kPairDraws, context.threads, context.job, [&](std::size_t draw, unsigned) {
        const auto group = drawNumbers(smaller, ranks.rows(), Random::forItem(stream, draw).next());
        auto [in, out] = ranks.correlations(group);
        std::ranges::transform(out, in, out.begin(), std::minus());
        gaps[draw] = std::move(out);
    });
    return gaps;
}

/// Limits that a pair's difference has to exceed.
struct GapLimits {
    std::vector<double> deviation; ///< of each pair's draws
    double largest = 0.0;          ///< accepted |gap|, in deviations
};

GapLimits limitsOf(const std::vector<std::vector<double>>& draws) {
    constexpr auto kDraws = static_cast<double>(kPairDraws);
    const std::size_t pairs = draws.front().size();
    std::vector<double> mean(pairs, 0.0);
    GapLimits limits{std::vector<double>(pairs, 0.0), 0.0};
    for (const std::vector<double>& draw : draws)
        for (std::size_t p = 0; p < pairs; ++p)
            mean[p] += draw[p] / kDraws;
    for (const std::vector<double>& draw : draws)
        for (std::size_t p = 0; p < pairs; ++p)
            limits.deviation[p] += (draw[p] - mean[p]) * (draw[p] - mean[p]) / kDraws;
    for (double& deviation : limits.deviation)
        deviation = std::sqrt(deviation);
    // Of nearly perfect correlations draws hardly differ: any difference would be many of their deviations.
    const double least = std::max(median(limits.deviation) / 3.0, 1e-12);
    for (double& deviation : limits.deviation)
        deviation = std::max(deviation, least);
    std::vector<double> largest;
    for (const std::vector<double>& draw : draws) {
        largest.push_back(0.0);
        for (std::size_t p = 0; p < pairs; ++p)
            largest.back() = std::max(largest.back(), std::abs(draw[p]) / limits.deviation[p]);
    }
    const double centre = std::accumulate(largest.begin(), largest.end(), 0.0) / kDraws;
    double variance = 0.0;
    for (const double one : largest)
        variance += (one - centre) * (one - centre) / kDraws;
    limits.largest = centre + kDeviationsBeyondDraws * std::sqrt(variance);
    return limits;
}

} // namespace

std::vector<DifferingPair> differingPairs(const ComparedRows& real, const ComparedRows& synthetic,
                                          std::span<const std::uint32_t> features, const ComputeContext& context) {
    std::vector<DifferingPair> found;
    if (features.size() < 2 || features.size() > kMaxPairFeatures)
        return found;
    const PooledRanks ranks(real, synthetic, features, context);
    std::vector<std::uint32_t> group(ranks.realRows());
    std::iota(group.begin(), group.end(), 0U);
    const auto [ofReal, ofSynthetic] = ranks.correlations(group);
    const GapLimits limits = limitsOf(drawnGaps(ranks, context));
    std::size_t pair = 0;
    for (std::size_t a = 0; a < features.size(); ++a)
        for (std::size_t b = a + 1; b < features.size(); ++b, ++pair) {
            const DifferingPair one{features[a], features[b], ofReal[pair], ofSynthetic[pair]};
            const double gap = std::abs(one.gap());
            if (gap >= kMinGap && gap > limits.largest * limits.deviation[pair])
                found.push_back(one);
        }
    std::ranges::sort(found, {},
                      [](const DifferingPair& one) { return std::tuple(-std::abs(one.gap()), one.first, one.second); });
    return found;
}

} // namespace assay

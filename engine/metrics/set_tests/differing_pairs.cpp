#include "engine/metrics/set_tests/differing_pairs.h"

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/products/float_product.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/quantile.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace assay {
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

/// What a pair's difference has to exceed.
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

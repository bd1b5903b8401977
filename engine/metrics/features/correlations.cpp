#include "engine/metrics/features/correlations.h"

#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/significance_tests.h"

#include <algorithm>
#include <cmath>
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
struct Correlation {
    double value = 0.0;
    double z = 0.0;
    double zVariance = 0.0;

    Correlation(const PowerMeans& means, std::size_t i, std::size_t j)
        : value(means.correlation(i, j)), z(std::atanh(std::clamp(value, -kLargestCorrelation, kLargestCorrelation))) {
        const double slope = 1.0 - std::pow(std::tanh(z), 2);
        zVariance = means.variance(i, j) / means.rows / (slope * slope);
    }
    double low() const { return std::tanh(z - kTwoSided95 * std::sqrt(zVariance)); }
    double high() const { return std::tanh(z + kTwoSided95 * std::sqrt(zVariance)); }
};

double pValueOf(const Correlation& a, const Correlation& b) {
    const double deviation = std::sqrt(a.zVariance + b.zVariance);
    const double apart = std::abs(a.z - b.z);
    if (deviation > 0.0)
        return std::erfc(apart / deviation / std::numbers::sqrt2);
    return apart < 1e-6 ? 1.0 : 0.0;
}

CorrelationDifference differenceOf(const PowerMeans& ofReal, const PowerMeans& ofSynthetic, std::size_t i,
                                   std::size_t j) {
    const Correlation real(ofReal, i, j);
    const Correlation synthetic(ofSynthetic, i, j);
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

} // namespace assay

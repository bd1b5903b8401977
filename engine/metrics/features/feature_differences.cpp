#include "engine/metrics/features/feature_differences.h"

#include "engine/base/parallel.h"
#include "engine/data/feature_layout.h"
#include "engine/math/statistics/radix_sort.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace assay {
namespace {

constexpr std::size_t kFeaturesAtOnce = 16; // features gathered at a time: a line of memory of each row

/// Evenly spaced rows of some features, each feature's values ascending.
std::vector<std::vector<float>> sortedFeatures(MatrixView set, std::size_t first, std::size_t count) {
    const std::size_t rows = featureRows(set.rows, set.dim);
    std::vector<std::vector<float>> features(count, std::vector<float>(rows));
    for (std::size_t r = 0; r < rows; ++r) {
        const float* row = set.rowData(r * set.rows / rows) + first;
        for (std::size_t f = 0; f < count; ++f)
            features[f][r] = row[f];
    }
    RadixSort sort;
    for (std::vector<float>& values : features)
        sort(values);
    return features;
}

struct Moments {
    double mean = 0.0;
    double deviation = 0.0;
};

Moments momentsOf(std::span<const float> ascending) {
    if (ascending.front() == ascending.back()) // exactly, whatever the mean rounds to
        return {static_cast<double>(ascending.front()), 0.0};
    const auto count = static_cast<double>(ascending.size());
    Moments moments;
    for (const float value : ascending)
        moments.mean += static_cast<double>(value) / count;
    for (const float value : ascending)
        moments.deviation += std::pow(static_cast<double>(value) - moments.mean, 2) / count;
    moments.deviation = std::sqrt(moments.deviation);
    return moments;
}

/// The integral of sqrt(F (1 - F)).
double spreadOf(std::span<const float> ascending) {
    const auto count = static_cast<double>(ascending.size());
    double sum = 0.0;
    for (std::size_t i = 1; i < ascending.size(); ++i) {
        const double below = static_cast<double>(i) / count;
        sum += std::sqrt(below * (1.0 - below)) *
               (static_cast<double>(ascending[i]) - static_cast<double>(ascending[i - 1]));
    }
    return sum;
}

FeatureDifference differenceOf(std::size_t feature, const std::vector<float>& real,
                               const std::vector<float>& synthetic) {
    const Moments ofReal = momentsOf(real);
    const Moments ofSynthetic = momentsOf(synthetic);
    const double scatter = 1.0 / static_cast<double>(real.size()) + 1.0 / static_cast<double>(synthetic.size());
    return {.feature = static_cast<std::uint32_t>(feature),
            .distance = wassersteinDistance(real, synthetic),
            .byChance = std::sqrt(2.0 * std::numbers::inv_pi * scatter) * spreadOf(real),
            .realMean = ofReal.mean,
            .realDeviation = ofReal.deviation,
            .syntheticMean = ofSynthetic.mean,
            .syntheticDeviation = ofSynthetic.deviation};
}

} // namespace

double FeatureDifference::relativeDistance() const noexcept {
    if (realDeviation > 0.0)
        return distance / realDeviation;
    return distance > 0.0 ? std::numeric_limits<double>::infinity() : 0.0;
}

double FeatureDifference::relativeByChance() const noexcept {
    return realDeviation > 0.0 ? byChance / realDeviation : 0.0;
}

FeatureDifference inFile(const ValuePreparation& preparation, const FeatureDifference& feature) {
    FeatureDifference result = feature;
    for (double* value : {&result.realMean, &result.syntheticMean})
        *value = inFile(preparation, feature.feature, *value);
    for (double* value : {&result.distance, &result.byChance, &result.realDeviation, &result.syntheticDeviation})
        *value = differenceInFile(preparation, feature.feature, *value);
    return result;
}

std::size_t featureRows(std::size_t rows, std::size_t dim) noexcept {
    constexpr std::size_t kMaxValues = 20'000'000;
    constexpr std::size_t kMinRowsUsed = 10'000;
    return std::min(rows, std::max(kMinRowsUsed, kMaxValues / dim));
}

double wassersteinDistance(const std::vector<float>& a, const std::vector<float>& b) {
    // The area between the two distribution functions.
    double sum = 0.0;
    double x = std::min(static_cast<double>(a.front()), static_cast<double>(b.front()));
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        const double apart = std::abs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                      static_cast<double>(j) / static_cast<double>(b.size()));
        const bool fromA = j == b.size() || (i < a.size() && a[i] <= b[j]);
        const auto next = static_cast<double>(fromA ? a[i++] : b[j++]);
        sum += apart * (next - x);
        x = next;
    }
    return sum;
}

FeatureDifferences featureDifferences(MatrixView real, MatrixView synthetic, unsigned threads, const JobContext& job) {
    FeatureDifferences result{featureRows(real.rows, real.dim), featureRows(synthetic.rows, synthetic.dim), {}};
    result.features.resize(real.dim);
    parallelRanges(real.dim, kFeaturesAtOnce, threads, job, [&](std::size_t first, std::size_t last, unsigned) {
        const auto ofReal = sortedFeatures(real, first, last - first);
        const auto ofSynthetic = sortedFeatures(synthetic, first, last - first);
        for (std::size_t f = first; f < last; ++f)
            result.features[f] = differenceOf(f, ofReal[f - first], ofSynthetic[f - first]);
    });
    std::ranges::stable_sort(result.features, std::ranges::greater{}, &FeatureDifference::relativeDistance);
    return result;
}

} // namespace assay

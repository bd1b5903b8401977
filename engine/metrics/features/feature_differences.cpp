#include "engine/metrics/features/feature_differences.h"

#include "engine/base/parallel.h"
#include "engine/data/feature_layout.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "engine/math/statistics/radix_sort.h"
#include "engine/metrics/embedding/row_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

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

namespace {

constexpr std::uint32_t kNotCommon = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kFeaturesPerTask = 64; // features of a task

/// The classes that both sets have: per row of a set its class's place among these, or kNotCommon.
struct CommonClasses {
    std::vector<ClassShift> classes;
    std::vector<std::uint32_t> realPlace, syntheticPlace;
};

std::vector<std::uint32_t> placesOf(const ClassLabels& labels, std::span<const std::uint32_t> placeOfCode) {
    std::vector<std::uint32_t> places;
    places.reserve(labels.code.size());
    for (const std::uint32_t code : labels.code)
        places.push_back(placeOfCode[code]);
    return places;
}

CommonClasses match(const ClassLabels& real, const ClassLabels& synthetic) {
    const std::vector<std::uint32_t> realCounts = real.counts();
    const std::vector<std::uint32_t> syntheticCounts = synthetic.counts();
    std::unordered_map<std::string, std::uint32_t> codes;
    for (std::uint32_t code = 0; code < synthetic.names.size(); ++code)
        codes.emplace(synthetic.names[code], code);
    CommonClasses common;
    std::vector<std::uint32_t> realPlaces(real.names.size(), kNotCommon);
    std::vector<std::uint32_t> syntheticPlaces(synthetic.names.size(), kNotCommon);
    for (std::uint32_t code = 0; code < real.names.size(); ++code) {
        const auto other = codes.find(real.names[code]);
        if (real.names[code].empty() || other == codes.end() || realCounts[code] == 0 ||
            syntheticCounts[other->second] == 0)
            continue;
        realPlaces[code] = syntheticPlaces[other->second] = static_cast<std::uint32_t>(common.classes.size());
        common.classes.push_back(
            {.realClass = code, .real = realCounts[code], .synthetic = syntheticCounts[other->second]});
    }
    common.realPlace = placesOf(real, realPlaces);
    common.syntheticPlace = placesOf(synthetic, syntheticPlaces);
    return common;
}

/// The mean of each class, a row each.
DoubleMatrix meansOf(MatrixView set, std::span<const std::uint32_t> places, std::span<const std::uint32_t> counts,
                     unsigned threads, const JobContext& job) {
    DoubleMatrix means(counts.size(), set.dim);
    parallelRanges(set.dim, kFeaturesPerTask, threads, job, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t r = 0; r < set.rows; ++r) {
            if (places[r] == kNotCommon)
                continue;
            double* mean = means.row(places[r]);
            const float* row = set.rowData(r);
            for (std::size_t f = first; f < last; ++f)
                mean[f] += static_cast<double>(row[f]);
        }
        for (std::size_t c = 0; c < counts.size(); ++c)
            for (std::size_t f = first; f < last; ++f)
                means.at(c, f) /= counts[c];
    });
    return means;
}

/// Sum of squared distances of each class's rows from its mean.
std::vector<double> scatterOf(MatrixView set, std::span<const std::uint32_t> places, const DoubleMatrix& means,
                              unsigned threads, const JobContext& job) {
    const std::size_t blocks = (set.dim + kFeaturesPerTask - 1) / kFeaturesPerTask;
    DoubleMatrix ofBlocks(blocks, means.rows);
    parallelRanges(set.dim, kFeaturesPerTask, threads, job, [&](std::size_t first, std::size_t last, unsigned) {
        double* sums = ofBlocks.row(first / kFeaturesPerTask);
        for (std::size_t r = 0; r < set.rows; ++r) {
            if (places[r] == kNotCommon)
                continue;
            const double* mean = means.row(places[r]);
            const float* row = set.rowData(r);
            double sum = 0.0;
            for (std::size_t f = first; f < last; ++f)
                sum += (static_cast<double>(row[f]) - mean[f]) * (static_cast<double>(row[f]) - mean[f]);
            sums[places[r]] += sum;
        }
    });
    std::vector<double> scatter(means.rows, 0.0);
    for (std::size_t b = 0; b < blocks; ++b)
        for (std::size_t c = 0; c < means.rows; ++c)
            scatter[c] += ofBlocks.at(b, c);
    return scatter;
}

/// Of the classes' means, each a sample.
GaussianFit fitMeans(const DoubleMatrix& means, unsigned threads, const JobContext& job) {
    const std::vector<float> rounded(means.values.begin(), means.values.end());
    return fitGaussian({rounded.data(), means.rows, means.columns}, threads, job);
}

} // namespace

std::optional<ClassMeans> compareClassMeans(const EmbeddingSet& real, const EmbeddingSet& synthetic, unsigned threads,
                                            const JobContext& job) {
    if (!real.hasLabels() || !synthetic.hasLabels())
        return std::nullopt;
    CommonClasses common = match(real.labels(), synthetic.labels());
    if (common.classes.size() < 2)
        return std::nullopt;
    std::vector<std::uint32_t> realCounts, syntheticCounts;
    for (const ClassShift& shift : common.classes) {
        realCounts.push_back(shift.real);
        syntheticCounts.push_back(shift.synthetic);
    }
    const DoubleMatrix realMeans =
        meansOf(real.matrix(), common.realPlace, realCounts, threads, job.part({}, 0.0, 0.3));
    const DoubleMatrix syntheticMeans =
        meansOf(synthetic.matrix(), common.syntheticPlace, syntheticCounts, threads, job.part({}, 0.3, 0.6));
    const std::vector<double> scatter =
        scatterOf(real.matrix(), common.realPlace, realMeans, threads, job.part({}, 0.6, 0.9));
    for (std::size_t c = 0; c < common.classes.size(); ++c) {
        ClassShift& shift = common.classes[c];
        double squared = 0.0;
        for (std::size_t f = 0; f < real.dim(); ++f)
            squared += std::pow(realMeans.at(c, f) - syntheticMeans.at(c, f), 2);
        shift.distance = std::sqrt(squared);
        shift.byChance = std::sqrt(scatter[c] / (shift.real - 1.0) * (1.0 / shift.real + 1.0 / shift.synthetic));
    }
    ClassMeans result;
    result.frechetDistance = std::numeric_limits<double>::quiet_NaN();
    if (std::min(common.classes.size(), real.dim()) <= kMaxEigenvalues)
        result.frechetDistance =
            frechetDistance(fitMeans(realMeans, threads, job.silent()), fitMeans(syntheticMeans, threads, job.silent()),
                            threads, job.part({}, 0.9, 1.0));
    result.classes = std::move(common.classes);
    return result;
}

} // namespace assay

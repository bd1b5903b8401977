#include "engine/metrics/features/class_means.h"

#include "engine/base/parallel.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/gaussian_fit.h"
#include "engine/metrics/embedding/row_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

namespace assay {
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

#include "engine/metrics/set_tests/scale.h"

#include "engine/base/parallel.h"
#include "engine/math/statistics/quantile.h"
#include "engine/math/statistics/ranking.h"
#include "engine/metrics/features/feature_differences.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kLengthsAtOnce = 256;

/// Median of each feature.
std::vector<double> featureMedians(const ComparedRows& set, std::size_t rows, const ComputeContext& context) {
    constexpr std::size_t kFeaturesAtOnce = 16; // a line of memory of each row
    std::vector<double> medians(set.set.dim);
    parallelRanges(medians.size(), kFeaturesAtOnce, context.threads, context.job.silent(),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       constexpr std::size_t kMedianRowsBetweenChecks = 1 << 16;
                       std::vector<std::vector<float>> values(last - first, std::vector<float>(rows));
                       for (std::size_t r = 0; r < rows; ++r) {
                           if (r % kMedianRowsBetweenChecks == 0)
                               context.job.throwIfStopped();
                           const auto row = set.row(r).subspan(first, last - first);
                           for (std::size_t f = 0; f < row.size(); ++f)
                               values[f][r] = row[f];
                       }
                       for (std::size_t f = first; f < last; ++f) {
                           context.job.throwIfStopped();
                           medians[f] = quantile(std::span(values[f - first]), 0.5);
                       }
                   });
    return medians;
}

/// Lengths of rows about 0 and about the median of their set.
struct RowLengths {
    std::vector<double> whole;
    std::vector<double> aboutMedian;

    RowLengths(const ComparedRows& set, std::size_t rows, const ComputeContext& context)
        : whole(rows), aboutMedian(rows) {
        const std::vector<double> medians = featureMedians(set, rows, context);
        parallelRanges(rows, kLengthsAtOnce, context.threads, context.job.silent(),
                       [&](std::size_t first, std::size_t last, unsigned) {
                           for (std::size_t r = first; r < last; ++r) {
                               const auto row = set.row(r);
                               for (std::size_t c = 0; c < row.size(); ++c) {
                                   const auto value = static_cast<double>(row[c]);
                                   whole[r] += value * value;
                                   aboutMedian[r] += (value - medians[c]) * (value - medians[c]);
                               }
                               whole[r] = std::sqrt(whole[r]);
                               aboutMedian[r] = std::sqrt(aboutMedian[r]);
                           }
                       });
    }

    bool areOne() const {
        constexpr double kRelativeDeviation = 1e-4;
        const auto count = static_cast<double>(whole.size());
        const double mean = std::accumulate(whole.begin(), whole.end(), 0.0) / count;
        double variance = 0.0;
        for (const double length : whole)
            variance += (length - mean) * (length - mean) / count;
        return std::sqrt(variance) < kRelativeDeviation * mean;
    }
};

std::optional<double> otherScale(std::vector<double> real, std::vector<double> synthetic) {
    constexpr double kFactor = 3.0;
    constexpr double kDeviations = 3.3;
    std::vector<double> lengths = real;
    lengths.insert(lengths.end(), synthetic.begin(), synthetic.end());
    std::vector<std::uint8_t> isSynthetic(lengths.size(), 0);
    std::fill(isSynthetic.begin() + static_cast<std::ptrdiff_t>(real.size()), isSynthetic.end(), std::uint8_t{1});
    const auto ratioAt = [&](double share) {
        const double ofReal = quantile(std::span(real), share);
        return ofReal > 0.0 ? quantile(std::span(synthetic), share) / ofReal : 0.0;
    };
    const double middle = ratioAt(0.5);
    const double outer = ratioAt(0.9); // heavy tails, and rows of zeros, move one of them alone
    const bool isLarger = std::min(middle, outer) > kFactor;
    const bool isSmaller = middle > 0.0 && std::max(middle, outer) < 1.0 / kFactor;
    if (!isLarger && !isSmaller)
        return std::nullopt;
    const RocArea roc = rocArea(lengths, isSynthetic);
    // Lengths that do not overlap have no variance by their placements, not even three of them: at least that of two
    // samples of one law.
    const auto n = static_cast<double>(real.size());
    const auto m = static_cast<double>(synthetic.size());
    const double variance = std::max(roc.variance, (n + m + 1.0) / (12.0 * n * m));
    return std::abs(roc.area - 0.5) > kDeviations * std::sqrt(variance) ? std::optional(middle) : std::nullopt;
}

} // namespace

ScaleTest testScale(const ComparedRows& real, const ComparedRows& synthetic, const ComputeContext& context) {
    const std::size_t dim = real.set.dim;
    RowLengths ofReal(real, featureRows(real.size(), dim), context);
    RowLengths ofSynthetic(synthetic, featureRows(synthetic.size(), dim), context);
    ScaleTest result;
    if (dim > 1 && ofReal.areOne() != ofSynthetic.areOne())
        result.unitLength = ofReal.areOne() ? Side::Real : Side::Synthetic;
    result.factor = otherScale(std::move(ofReal.aboutMedian), std::move(ofSynthetic.aboutMedian));
    return result;
}

} // namespace assay

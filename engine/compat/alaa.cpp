// Alaa et al. 2022: compute_alpha_precision around the mean of the real set, in float32. Authenticity compares
// distances between real samples, but it indexes them with the row of the nearest *synthetic* sample.
#include "engine/compat/published_distances.h"

#include "engine/base/parallel.h"
#include "engine/math/statistics/quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace assay::compat {
namespace {

constexpr std::size_t kSteps = 30;

/// Method of the program's search within the real set, which requests 2 neighbours: the sample itself and its nearest
/// one.
FitMethod methodInReal(const CompatInputs& in) {
    return fitMethod(2, *in.real.set);
}

FitMethod methodInSynthetic(const CompatInputs& in) {
    return fitMethod(1, *in.model.set);
}

/// Column means as in NumPy: float32 sums in row order.
std::vector<float> centreOf(MatrixView set) {
    std::vector<float> centre(set.dim, 0.0F);
    for (std::size_t row = 0; row < set.rows; ++row)
        for (std::size_t c = 0; c < set.dim; ++c)
            centre[c] += set.rowData(row)[c];
    for (float& value : centre)
        value /= static_cast<float>(set.rows);
    return centre;
}

std::vector<float> distancesTo(const std::vector<float>& centre, MatrixView set, const JobContext& job) {
    std::vector<float> distances(set.rows);
    constexpr std::size_t kRows = 256;
    parallelRanges(set.rows, kRows, 0, job, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t row = first; row < last; ++row) {
            double sum = 0.0;
            for (std::size_t c = 0; c < set.dim; ++c) {
                const float difference = set.rowData(row)[c] - centre[c];
                sum += static_cast<double>(difference * difference);
            }
            distances[row] = std::sqrt(static_cast<float>(sum));
        }
    });
    return distances;
}

std::array<double, kSteps> alphas() {
    std::array<double, kSteps> steps{};
    for (std::size_t s = 0; s < kSteps; ++s)
        steps[s] = s + 1 == kSteps ? 1.0 : static_cast<double>(s) * (1.0 / static_cast<double>(kSteps - 1));
    return steps;
}

/// Quantiles of float32 values with NumPy's linear interpolation; comparisons are in float32.
std::array<float, kSteps> quantilesOf(std::vector<float> values) {
    std::array<float, kSteps> quantiles{};
    std::ranges::transform(alphas(), quantiles.begin(),
                           [&](double share) { return static_cast<float>(quantile(std::span(values), share)); });
    return quantiles;
}

/// Mean of float32 flags, rounded to float32.
double meanOfFlags(std::size_t count, std::size_t rows) {
    return static_cast<double>(static_cast<float>(count) / static_cast<float>(rows));
}

double integral(const std::vector<double>& curve) {
    const std::array<double, kSteps> steps = alphas();
    std::array<double, kSteps> gaps{};
    for (std::size_t s = 0; s < kSteps; ++s)
        gaps[s] = std::abs(steps[s] - curve[s]);
    return 1.0 - 2.0 * pairwiseSum(gaps) * (steps[1] - steps[0]);
}

std::vector<double> precisionCurve(const std::vector<float>& synthetic, const std::array<float, kSteps>& radii) {
    std::vector<double> curve;
    curve.reserve(radii.size());
    for (const float radius : radii)
        curve.push_back(meanOfFlags(static_cast<std::size_t>(std::count_if(synthetic.begin(), synthetic.end(),
                                                                           [radius](float d) { return d <= radius; })),
                                    synthetic.size()));
    return curve;
}

std::vector<double> recallCurve(const CompatInputs& in) {
    const NeighborTable& toSynthetic = in.model.tables->real.nearest;
    const MatrixView set = in.model.set->matrix();
    const std::vector<float> toCentre = distancesTo(centreOf(set), set, in.job);
    std::vector<float> closest(toSynthetic.rows());
    std::vector<bool> near(closest.size());
    for (std::size_t i = 0; i < closest.size(); ++i) {
        closest[i] = toCentre[toSynthetic.indexAt(i, 0)];
        near[i] = neighborDistance(toSynthetic.distanceAt(i, 0), methodInSynthetic(in)) <=
                  neighborDistance(in.real.neighbors.distanceAt(i, 0), methodInReal(in));
    }
    std::vector<double> curve;
    for (const float radius : quantilesOf(closest)) {
        std::size_t covered = 0;
        for (std::size_t i = 0; i < closest.size(); ++i)
            covered += near[i] && closest[i] <= radius ? 1 : 0;
        curve.push_back(meanOfFlags(covered, closest.size()));
    }
    return curve;
}

/// NaN if the program ends with an IndexError: there are more synthetic than real samples, and the nearest synthetic
/// sample of a real one has a row beyond the real set.
double authenticity(const CompatInputs& in) {
    const NeighborTable& toSynthetic = in.model.tables->real.nearest;
    const NeighborTable& own = in.real.neighbors;
    std::size_t authentic = 0;
    for (std::size_t i = 0; i < own.rows(); ++i) {
        const std::size_t synthetic = toSynthetic.indexAt(i, 0);
        if (synthetic >= own.rows())
            return std::numeric_limits<double>::quiet_NaN();
        authentic += neighborDistance(own.distanceAt(synthetic, 0), methodInReal(in)) <
                             neighborDistance(toSynthetic.distanceAt(i, 0), methodInSynthetic(in))
                         ? 1
                         : 0;
    }
    return static_cast<double>(authentic) / static_cast<double>(own.rows());
}

} // namespace

std::vector<CompatValue> alaa(const CompatInputs& in) {
    const std::vector<float> centre = centreOf(in.real.set->matrix());
    const std::array<float, kSteps> radii = quantilesOf(distancesTo(centre, in.real.set->matrix(), in.job));
    const std::vector<double> precision = precisionCurve(distancesTo(centre, in.model.set->matrix(), in.job), radii);
    const std::vector<double> recall = recallCurve(in);
    return {{"Delta_precision_alpha", {integral(precision)}},
            {"Delta_coverage_beta", {integral(recall)}},
            {"authenticity", {authenticity(in)}},
            {"alpha_precision_curve", precision, true},
            {"beta_coverage_curve", recall, true}};
}

} // namespace assay::compat

#include "engine/metrics/entropy/entropy.h"

#include "engine/math/statistics/nan.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <math.h> // lgamma_r: std::lgamma writes a global
#include <numbers>
#include <utility>

namespace assay::metrics {
namespace {

/// Digamma of a positive integer.
double digamma(std::size_t n) {
    double sum = -std::numbers::egamma;
    for (std::size_t i = 1; i < n; ++i)
        sum += 1.0 / static_cast<double>(i);
    return sum;
}

double logUnitBallVolume(std::size_t dim) {
    int sign = 0;
    const double half = static_cast<double>(dim) / 2.0;
    return half * std::log(std::numbers::pi) - lgamma_r(half + 1.0, &sign);
}

std::vector<double> lessEntropy(std::vector<double> terms, const RealAnalysis& real) {
    return mapped(std::move(terms), [&](double term) { return term - real.entropy; });
}

std::size_t zeros(const NeighborTable& table, std::size_t k) {
    const std::vector<double> distances = table.distancesAt(k);
    return static_cast<std::size_t>(std::count(distances.begin(), distances.end(), 0.0));
}

} // namespace

std::vector<double> entropyTerms(std::span<const double> distances, std::size_t n, std::size_t k, std::size_t dim) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const double distance : distances)
        if (distance > 0.0)
            smallest = std::min(smallest, distance);
    if (std::isinf(smallest))
        return std::vector<double>(distances.size(), std::numeric_limits<double>::quiet_NaN());

    const double constant = std::log(static_cast<double>(n)) - digamma(k) + logUnitBallVolume(dim);
    std::vector<double> terms(distances.size());
    for (std::size_t i = 0; i < terms.size(); ++i)
        terms[i] = constant + static_cast<double>(dim) * std::log(distances[i] > 0.0 ? distances[i] : smallest);
    return terms;
}

std::vector<double> termsAboveReal(const NeighborTable& table, std::size_t n, const MetricInputs& in) {
    return lessEntropy(entropyTerms(table.distancesAt(in.k), n, in.k, in.real.set->dim()), in.real);
}

std::vector<double> realEntropyTerms(const RealAnalysis& real) {
    return lessEntropy(entropyTerms(real.radius, real.neighbors.rows() - 1, real.k, real.set->dim()), real);
}

std::vector<double> pcePerSample(const MetricInputs& in) {
    return termsAboveReal(in.pair.synthetic.nearest, in.real.neighbors.rows(), in);
}
std::vector<double> rcePerSample(const MetricInputs& in) {
    return termsAboveReal(in.pair.real.nearest, in.pair.syntheticToSynthetic.rows(), in);
}
std::vector<double> rePerSample(const MetricInputs& in) {
    return termsAboveReal(in.pair.syntheticToSynthetic, in.pair.syntheticToSynthetic.rows() - 1, in);
}

double degenerateNeighbors(const MetricInputs& in) {
    return static_cast<double>(zeros(in.real.neighbors, in.k) + zeros(in.pair.synthetic.nearest, in.k) +
                               zeros(in.pair.real.nearest, in.k) + zeros(in.pair.syntheticToSynthetic, in.k));
}

double likelihoodDimension(const NeighborTable& neighbors, std::size_t k) {
    double sum = 0.0;
    std::size_t terms = 0;
    for (std::size_t row = 0; k >= 2 && row < neighbors.rows(); ++row) {
        const double farthest = neighbors.distanceAt(row, k - 1);
        for (std::size_t rank = 0; rank + 1 < k; ++rank)
            if (const double distance = neighbors.distanceAt(row, rank); distance > 0.0) {
                sum += std::log(farthest / distance);
                ++terms;
            }
    }
    return sum > 0.0 ? static_cast<double>(terms) / sum : kNaN;
}

double intrinsicDimension(const MetricInputs& in) {
    return likelihoodDimension(in.pair.syntheticToSynthetic, in.k);
}
double intrinsicDimensionReal(const MetricInputs& in) {
    return likelihoodDimension(in.real.neighbors, in.k);
}
double twoNearestDimension(const MetricInputs& in) {
    return in.k < 2 ? kNaN : likelihoodDimension(in.pair.syntheticToSynthetic, 2); // a subset has k neighbours, no more
}
double twoNearestDimensionReal(const MetricInputs& in) {
    return in.k < 2 ? kNaN : likelihoodDimension(in.real.neighbors, 2);
}

} // namespace assay::metrics

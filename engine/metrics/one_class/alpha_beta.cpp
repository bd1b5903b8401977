#include "engine/metrics/one_class/alpha_beta.h"

#include "engine/math/linear/centre.h"
#include "engine/math/statistics/quantile.h"
#include "engine/metrics/one_class/one_class_network.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace assay {
namespace {

double lengthOf(std::span<const double> vector) {
    return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
}

/// Largest difference of two distances from a centre that rounding alone can cause: rounding of the centre's
/// coordinates and of the sums.
double roundingOf(double centreLength, double distance) {
    return 0x1p-45 * (centreLength + distance);
}

/// Makes distances equal that differ only by rounding. Rows of integers, such as categories, often have equal distances
/// to a centre, and curves and quantiles depend on these ties.
void mergeTies(std::vector<double>& distance, double centreLength) {
    std::vector<std::size_t> order(distance.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return distance[a] < distance[b]; });
    for (std::size_t first = 0; first < order.size();) {
        const double least = distance[order[first]];
        const double most = least + roundingOf(centreLength, least);
        for (; first < order.size() && distance[order[first]] <= most; ++first)
            distance[order[first]] = least;
    }
}

/// The value of `ascending` that differs from `distance` only by rounding; `distance` itself if there is none.
double mergedWith(std::span<const double> ascending, double distance, double centreLength) {
    const double rounding = roundingOf(centreLength, distance);
    const auto near = std::lower_bound(ascending.begin(), ascending.end(), distance - rounding);
    return near != ascending.end() && *near <= distance + rounding ? *near : distance;
}

} // namespace

RealCentre RealCentre::of(MatrixView set, std::vector<double> centre, unsigned threads, const JobContext& job) {
    RealCentre real;
    real.centre = std::move(centre);
    real.distance = distancesTo(real.centre, set, threads, job);
    mergeTies(real.distance, lengthOf(real.centre));
    real.ascending = real.distance;
    std::sort(real.ascending.begin(), real.ascending.end());
    return real;
}

EvaluationTables EvaluationTables::of(const RealCentre& real, const std::vector<double>& nearestReal,
                                      const NeighborTable& realToSynthetic, const Synthetic& synthetic,
                                      const ComputeContext& context) {
    EvaluationTables tables;
    const std::span<const double> mean = synthetic.mean;
    tables.real = &real;
    const double lengthOfCentre = lengthOf(real.centre);
    TwoDistances distances = distancesToTwo(real.centre, mean, synthetic.rows, context.threads, context.job);
    tables.centreDistance = std::move(distances.first);
    for (double& distance : tables.centreDistance)
        distance = mergedWith(real.ascending, distance, lengthOfCentre);
    mergeTies(distances.second, lengthOf(mean));
    std::vector<double> shift(mean.size());
    std::transform(mean.begin(), mean.end(), real.centre.begin(), shift.begin(), std::minus<>());
    tables.meanDistance = lengthOf(shift);
    const std::size_t rows = real.distance.size();
    tables.covered.resize(rows);
    tables.nearestToMean.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        tables.covered[i] = realToSynthetic.distanceAt(i, 0) <= nearestReal[i] ? 1 : 0;
        tables.nearestToMean[i] = distances.second[realToSynthetic.indexAt(i, 0)];
    }
    return tables;
}

namespace metrics {
namespace {

std::vector<double> evenSteps() {
    std::vector<double> steps(kAlphaSteps);
    for (std::size_t j = 0; j < kAlphaSteps; ++j)
        steps[j] = static_cast<double>(j) / static_cast<double>(kAlphaSteps - 1);
    return steps;
}

/// Share of `rows` samples whose value in the ascending list is at most each bound.
std::vector<double> sharesWithin(std::span<const double> ascending, std::size_t rows, std::span<const double> bounds) {
    std::vector<double> shares;
    shares.reserve(bounds.size());
    for (const double bound : bounds) {
        const auto within = std::upper_bound(ascending.begin(), ascending.end(), bound) - ascending.begin();
        shares.push_back(static_cast<double>(within) / static_cast<double>(rows));
    }
    return shares;
}

std::vector<double> alphaPrecision(const EvaluationTables& tables) {
    std::vector<double> distances = tables.centreDistance;
    std::sort(distances.begin(), distances.end());
    return sharesWithin(distances, distances.size(), evenQuantiles(tables.real->ascending, kAlphaSteps));
}

std::vector<double> betaRecall(const EvaluationTables& tables) {
    std::vector<double> all = tables.nearestToMean;
    std::sort(all.begin(), all.end());
    std::vector<double> covered;
    for (std::size_t i = 0; i < tables.covered.size(); ++i)
        if (tables.covered[i] != 0)
            covered.push_back(tables.nearestToMean[i]);
    std::sort(covered.begin(), covered.end());
    return sharesWithin(covered, all.size(), evenQuantiles(all, kAlphaSteps));
}

/// Integrated score 1 - 2 dAlpha sum |alpha - P|: 1 if the curve is the diagonal.
double integrated(std::span<const double> shares) {
    const std::vector<double> steps = evenSteps();
    double sum = 0.0;
    for (std::size_t j = 0; j < steps.size(); ++j)
        sum += std::abs(steps[j] - shares[j]);
    return 1.0 - 2.0 * sum / static_cast<double>(kAlphaSteps - 1);
}

} // namespace

std::vector<double> evenQuantiles(std::span<const double> ascending, std::size_t count) {
    std::vector<double> quantiles(count);
    const std::size_t steps = count - 1;
    for (std::size_t j = 0; j < count; ++j) {
        // In whole numbers, so that a quantile on an order statistic does not miss it by a rounding.
        const std::size_t place = j * (ascending.size() - 1);
        const double below = ascending[place / steps];
        const double share = static_cast<double>(place % steps) / static_cast<double>(steps);
        quantiles[j] = place % steps == 0 ? below : interpolated(below, ascending[place / steps + 1], share);
    }
    return quantiles;
}

double smallestAlpha(std::span<const double> ascending, double distance) {
    if (distance <= ascending.front())
        return 0.0;
    if (distance > ascending.back())
        return distance / ascending.back();
    const auto above = std::lower_bound(ascending.begin(), ascending.end(), distance);
    const double below = *(above - 1);
    const double place = static_cast<double>(above - 1 - ascending.begin()) + (distance - below) / (*above - below);
    return place / static_cast<double>(ascending.size() - 1);
}

double integratedAlphaPrecision(const EvaluationTables& tables) {
    return integrated(alphaPrecision(tables));
}
double integratedBetaRecall(const EvaluationTables& tables) {
    return integrated(betaRecall(tables));
}
CurveValues alphaPrecisionCurve(const EvaluationTables& tables) {
    return {{}, evenSteps(), {{{}, alphaPrecision(tables)}}};
}
CurveValues betaRecallCurve(const EvaluationTables& tables) {
    return {{}, evenSteps(), {{{}, betaRecall(tables)}}};
}

std::vector<double> typicality(const EvaluationTables& tables) {
    return mapped(tables.centreDistance,
                  [&](double distance) { return smallestAlpha(tables.real->ascending, distance); });
}
std::vector<double> realCentreDistance(const EvaluationTables& tables) {
    return tables.real->distance;
}
std::vector<double> betaCovered(const EvaluationTables& tables) {
    return {tables.covered.begin(), tables.covered.end()};
}

CurveValues oneClassTraining(const MetricInputs& in) {
    const OneClassHistory& history = in.get<RealOneClass>().model.history;
    CurveValues curve{{}, std::vector<double>(history.training.size()), {}};
    std::iota(curve.x.begin(), curve.x.end(), 1.0);
    curve.lines.push_back({"training", history.training});
    if (!history.validation.empty())
        curve.lines.push_back({"validation", history.validation});
    return curve;
}

} // namespace metrics
} // namespace assay

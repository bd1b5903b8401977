#include "engine/metrics/alpha_beta.h"

#include "engine/audit/audit_result.h"
#include "engine/metrics/one_class_training.h"
#include "engine/stats/centre.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace assay {

RealCentre RealCentre::of(MatrixView set, std::vector<double> centre, unsigned threads, const JobContext& job) {
    RealCentre real;
    real.centre = std::move(centre);
    real.distance = distancesTo(real.centre, set, threads, job);
    real.ascending = real.distance;
    std::sort(real.ascending.begin(), real.ascending.end());
    return real;
}

EvaluationTables EvaluationTables::of(const RealCentre& real, MatrixView synthetic, std::span<const double> mean,
                                      const Nearest& nearest, unsigned threads, const JobContext& job) {
    EvaluationTables tables;
    tables.real = &real;
    TwoDistances distances = distancesToBoth(real.centre, mean, synthetic, threads, job);
    tables.centreDistance = std::move(distances.first);
    const std::size_t rows = real.distance.size();
    tables.covered.resize(rows);
    tables.nearestToMean.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        tables.covered[i] = nearest.syntheticDistance[i] <= nearest.realDistance[i] ? 1 : 0;
        tables.nearestToMean[i] = distances.second[nearest.synthetic[i]];
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

/// Share of all `rows` of an ascending list that is at most each bound.
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

/// 1 - 2 dAlpha sum |alpha - P|: 1 for the diagonal.
double integrated(std::span<const double> shares) {
    const std::vector<double> steps = evenSteps();
    double sum = 0.0;
    for (std::size_t j = 0; j < steps.size(); ++j)
        sum += std::abs(steps[j] - shares[j]);
    return 1.0 - 2.0 * sum / static_cast<double>(kAlphaSteps - 1);
}

CurveValues curveOf(std::string_view id, std::vector<double> shares) {
    return {id, evenSteps(), {CurveLine{"", std::move(shares)}}};
}

std::vector<double> typicalityIn(const EvaluationTables& tables) {
    std::vector<double> alphas(tables.centreDistance.size());
    std::transform(tables.centreDistance.begin(), tables.centreDistance.end(), alphas.begin(),
                   [&](double distance) { return smallestAlpha(tables.real->ascending, distance); });
    return alphas;
}

std::vector<double> coveredIn(const EvaluationTables& tables) {
    return {tables.covered.begin(), tables.covered.end()};
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
        quantiles[j] = place % steps == 0 ? below : below + share * (ascending[place / steps + 1] - below);
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

double integratedAlphaPrecision(const MetricInputs& in) {
    return integrated(alphaPrecision(*in.identity));
}
double integratedBetaRecall(const MetricInputs& in) {
    return integrated(betaRecall(*in.identity));
}
CurveValues alphaPrecisionCurve(const MetricInputs& in) {
    return curveOf("alpha_precision_curve", alphaPrecision(*in.identity));
}
CurveValues betaRecallCurve(const MetricInputs& in) {
    return curveOf("beta_recall_curve", betaRecall(*in.identity));
}
std::vector<double> typicality(const MetricInputs& in) {
    return typicalityIn(*in.identity);
}
std::vector<double> centreDistance(const MetricInputs& in) {
    return in.identity->centreDistance;
}
std::vector<double> realCentreDistance(const MetricInputs& in) {
    return in.identity->real->distance;
}
std::vector<double> betaCovered(const MetricInputs& in) {
    return coveredIn(*in.identity);
}

double integratedAlphaPrecisionOneClass(const MetricInputs& in) {
    return integrated(alphaPrecision(*in.oneClass));
}
double integratedBetaRecallOneClass(const MetricInputs& in) {
    return integrated(betaRecall(*in.oneClass));
}
CurveValues alphaPrecisionCurveOneClass(const MetricInputs& in) {
    return curveOf("alpha_precision_curve_one_class", alphaPrecision(*in.oneClass));
}
CurveValues betaRecallCurveOneClass(const MetricInputs& in) {
    return curveOf("beta_recall_curve_one_class", betaRecall(*in.oneClass));
}
std::vector<double> typicalityOneClass(const MetricInputs& in) {
    return typicalityIn(*in.oneClass);
}
std::vector<double> centreDistanceOneClass(const MetricInputs& in) {
    return in.oneClass->centreDistance;
}
std::vector<double> realCentreDistanceOneClass(const MetricInputs& in) {
    return in.oneClass->real->distance;
}
std::vector<double> betaCoveredOneClass(const MetricInputs& in) {
    return coveredIn(*in.oneClass);
}

CurveValues oneClassTraining(const MetricInputs& in) {
    const OneClassHistory& history = in.real.oneClass->model.history;
    CurveValues curve{"one_class_training", std::vector<double>(history.training.size()), {}};
    std::iota(curve.x.begin(), curve.x.end(), 1.0);
    curve.lines.push_back({"training", history.training});
    if (!history.validation.empty())
        curve.lines.push_back({"validation", history.validation});
    return curve;
}

} // namespace metrics
} // namespace assay

#include "engine/audit/result/compare.h"

#include "engine/base/find_by.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/resampling/jackknife.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace assay {

namespace {

/// What one model knows of one metric.
struct Figure {
    double value;
    const MetricResamples* resamples; ///< or null
    const MetricInterval* interval;   ///< or null
};

Figure figureOf(const ModelAudit& model, const MetricValue& metric) {
    return {metric.value, findBy(model.resamples, &MetricResamples::id, metric.id), model.interval(metric.id)};
}

std::vector<double> differences(const std::vector<double>& first, const std::vector<double>& second) {
    std::vector<double> values(first.size());
    std::ranges::transform(first, second, values.begin(), std::minus());
    return values;
}

/// Interval of a difference from replicates. The real set's groups are equal for both models.
Bounds byReplicates(double difference, const Replicates& first, const Replicates& second) {
    if (first == second) // the same set twice
        return {difference, difference};
    const double variance = jackknifeVariance(differences(first.withoutReal, second.withoutReal)) +
                            jackknifeVariance(first.withoutSynthetic) + jackknifeVariance(second.withoutSynthetic);
    const double half = kJackknifeDeviations * std::sqrt(variance);
    return {difference - half, difference + half};
}

/// Interval of a difference from two intervals as if they were independent (MOVER; Zou and Donner 2008).
Bounds byIntervals(const Figure& first, const Figure& second) {
    const double difference = first.value - second.value;
    return {difference - std::hypot(first.value - first.interval->low, second.interval->high - second.value),
            difference + std::hypot(first.interval->high - first.value, second.value - second.interval->low)};
}

std::optional<Bounds> differenceBounds(const Figure& first, const Figure& second) {
    if (first.resamples != nullptr && second.resamples != nullptr) {
        const MetricResamples& a = *first.resamples;
        const MetricResamples& b = *second.resamples;
        if (!a.values.empty() && a.values.size() == b.values.size())
            return percentileBounds(differences(a.values, b.values));
        if (!a.replicates.empty() && a.replicates.withoutReal.size() == b.replicates.withoutReal.size())
            return byReplicates(first.value - second.value, a.replicates, b.replicates);
    }
    if (first.interval != nullptr && second.interval != nullptr)
        return byIntervals(first, second);
    return std::nullopt;
}

/// Whether two models have the same samples: then all their replicates are equal.
bool haveSameSamples(const ModelAudit& first, const ModelAudit& second) {
    bool any = false;
    for (const MetricResamples& of : first.resamples) {
        const MetricResamples* other = findBy(second.resamples, &MetricResamples::id, of.id);
        if (of.replicates.empty())
            continue;
        if (other == nullptr || of.replicates != other->replicates)
            return false;
        any = true;
    }
    return any;
}

} // namespace

std::vector<MetricDifference> compareModels(const ModelAudit& first, const ModelAudit& second) {
    const bool same = haveSameSamples(first, second);
    std::vector<MetricDifference> differences;
    for (const MetricValue& metric : first.metrics) {
        const MetricValue* other = findBy(second.metrics, &MetricValue::id, metric.id);
        if (other == nullptr)
            continue;
        const Figure a = figureOf(first, metric);
        const Figure b = figureOf(second, *other);
        const double difference = metric.value - other->value;
        std::optional<Bounds> bounds = differenceBounds(a, b);
        if (bounds && same && difference == 0.0)
            bounds = Bounds{0.0, 0.0};
        if (bounds)
            differences.push_back({metric.id, difference, bounds->low, bounds->high});
    }
    return differences;
}

std::vector<ModelComparison> compareAll(const AuditResult& audit) {
    std::vector<ModelComparison> comparisons;
    for (std::size_t first = 0; first < audit.models.size(); ++first)
        for (std::size_t second = first + 1; second < audit.models.size(); ++second)
            comparisons.push_back({first, second, compareModels(*audit.models[first], *audit.models[second])});
    return comparisons;
}

} // namespace assay

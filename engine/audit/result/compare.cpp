#include "engine/audit/result/compare.h"

#include "engine/base/find_by.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/resampling/jackknife.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_set>

namespace assay {
namespace {

/// Value of one metric of one model, with its uncertainty.
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

namespace {

/// Examples that are no neighbours of each other: of as many classes as there are, else of dense and sparse places
/// alike.
std::vector<std::uint32_t> examplesOf(const RealAnalysis& real, const std::vector<std::uint32_t>& rows) {
    std::vector<std::uint32_t> densest = rows;
    std::ranges::sort(densest, {}, [&](std::uint32_t row) { return std::pair(real.radius[row], row); });
    std::vector<std::uint32_t> examples;
    std::unordered_set<std::uint32_t> isNear;      // of an example before
    std::unordered_set<std::uint32_t> classesSeen; // those of examples before
    const auto add = [&](std::uint32_t row) {
        examples.push_back(row);
        isNear.insert(row);
        for (std::size_t rank = 0; rank < real.neighbors.k; ++rank)
            isNear.insert(real.neighbors.indexAt(row, rank));
    };
    if (real.set->hasLabels())
        for (const std::uint32_t row : densest)
            if (examples.size() < kGroupExamples && real.set->hasLabel(row) && !isNear.contains(row) &&
                classesSeen.insert(static_cast<std::uint32_t>(real.set->labels().code[row])).second)
                add(row);
    for (std::size_t part = 0; part < kGroupExamples && examples.size() < kGroupExamples; ++part)
        for (std::size_t at = part * densest.size() / kGroupExamples; at < densest.size(); ++at)
            if (!isNear.contains(densest[at])) {
                add(densest[at]);
                break;
            }
    return examples;
}

std::vector<double> sharesPerBin(const HistogramBins& bins, std::span<const double> values) {
    const std::vector<std::size_t> counts = countPerBin(bins, values);
    const auto all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    std::vector<double> shares;
    shares.reserve(counts.size());
    for (const std::size_t count : counts)
        shares.push_back(all == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(all));
    return shares;
}

ContrastedColumn contrastColumn(const AuditResult& audit, const ModelAudit& first, const ModelAudit& second,
                                std::string_view id) {
    if (!first.hasColumn(id) || !second.hasColumn(id))
        return {};
    std::vector<double> values = first.column(id);
    values.insert(values.end(), second.column(id).begin(), second.column(id).end());
    ContrastedColumn found;
    found.bins = chooseBins(values, findColumn(id)->unit, audit.k);
    found.first = sharesPerBin(found.bins, first.column(id));
    found.second = sharesPerBin(found.bins, second.column(id));
    return found;
}

} // namespace

ModelContrast contrastModels(const AuditResult& audit, std::size_t first, std::size_t second, const JobContext& job) {
    ModelContrast found{.first = audit.models[first], .second = audit.models[second]};
    const std::vector<std::uint32_t>& inFirst = found.first->tables->real.inside;
    const std::vector<std::uint32_t>& inSecond = found.second->tables->real.inside;
    for (std::uint32_t row = 0; row < std::min(inFirst.size(), inSecond.size()); ++row) {
        const bool isInFirst = inFirst[row] > 0;
        const bool isInSecond = inSecond[row] > 0;
        const CoveredBy by = isInFirst    ? isInSecond ? CoveredBy::Both : CoveredBy::OnlyFirst
                             : isInSecond ? CoveredBy::OnlySecond
                                          : CoveredBy::Neither;
        found.groups[static_cast<std::size_t>(by)].rows.push_back(row);
    }
    for (CoverageGroup& group : found.groups) {
        job.throwIfStopped();
        group.examples = examplesOf(*audit.real, group.rows);
    }
    job.throwIfStopped();
    found.fidelity = contrastColumn(audit, *found.first, *found.second, "fidelity");
    found.differences = compareModels(*found.first, *found.second);
    return found;
}

} // namespace assay

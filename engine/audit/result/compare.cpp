#include "engine/audit/result/compare.h"

#include "engine/base/find_by.h"
#include "engine/math/statistics/bootstrap.h"

namespace assay {

std::vector<MetricDifference> compareModels(const ModelAudit& first, const ModelAudit& second) {
    std::vector<MetricDifference> differences;
    for (const MetricResamples& of : first.resamples) {
        const MetricResamples* other = findBy(second.resamples, &MetricResamples::id, of.id);
        if (other == nullptr || other->values.size() != of.values.size())
            continue;
        std::vector<double> values(of.values.size());
        for (std::size_t b = 0; b < values.size(); ++b)
            values[b] = of.values[b] - other->values[b];
        const Bounds bounds = percentileBounds(std::move(values));
        differences.push_back({of.id, first.metric(of.id) - second.metric(of.id), bounds.low, bounds.high});
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

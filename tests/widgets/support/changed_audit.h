#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/data/embedding_set.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::test {

/// A copy of an audit in which `change(ModelAudit&)` was made to one of its models.
template <class Change>
std::shared_ptr<AuditResult> withModel(const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                                       const Change& change) {
    auto result = std::make_shared<AuditResult>(*audit);
    auto changed = std::make_shared<ModelAudit>(*audit->models[model]);
    change(*changed);
    result->models[model] = std::move(changed);
    return result;
}

/// Likewise `change(ModelAudit&, std::size_t model)` to every model.
template <class Change>
std::shared_ptr<AuditResult> withEveryModel(const std::shared_ptr<const AuditResult>& audit, const Change& change) {
    auto result = std::make_shared<AuditResult>(*audit);
    for (std::size_t m = 0; m < audit->models.size(); ++m)
        result = withModel(result, m, [&](ModelAudit& model) { change(model, m); });
    return result;
}

/// A copy of an audit with another real set: its tables stay.
inline std::shared_ptr<AuditResult> withRealSet(const std::shared_ptr<const AuditResult>& audit,
                                                std::shared_ptr<const EmbeddingSet> set) {
    auto result = std::make_shared<AuditResult>(*audit);
    auto real = std::make_shared<RealAnalysis>(*audit->real);
    real->set = std::move(set);
    result->real = std::move(real);
    return result;
}

/// An audit of a real set alone, without any table.
inline std::shared_ptr<const AuditResult> auditOfRealSet(EmbeddingParts parts) {
    auto real = std::make_shared<RealAnalysis>();
    real->set = std::make_shared<const EmbeddingSet>(std::move(parts));
    auto audit = std::make_shared<AuditResult>();
    audit->real = std::move(real);
    return audit;
}

/// Name and values of a set, to be made another one.
inline EmbeddingParts partsOf(const EmbeddingSet& set) {
    const float* values = set.matrix().rowData(0);
    return EmbeddingParts::of(std::vector<float>(values, values + set.rows() * set.dim()), set.dim(), set.name());
}

/// Takes the place of the metric, if the model has it.
inline void setMetric(ModelAudit& model, std::string_view id, double value) {
    std::erase_if(model.metrics, [id](const MetricValue& metric) { return metric.id == id; });
    model.metrics.push_back({id, value});
}

} // namespace assay::test

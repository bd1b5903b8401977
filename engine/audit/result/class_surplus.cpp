#include "engine/audit/result/class_surplus.h"

#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"

#include <algorithm>
#include <map>
#include <string>

namespace assay {
namespace {

/// Allowed number of synthetic samples per class, ceil(p_c M), of the samples that have a class, in integer arithmetic
/// so that rounding cannot remove one sample too many.
std::map<std::string, std::size_t> allowances(const EmbeddingSet& real, std::size_t synthetic) {
    std::map<std::string, std::size_t> allowed;
    const std::vector<std::uint32_t> counts = real.labels().counts();
    const std::size_t ofReal = real.labels().classified();
    for (std::size_t c = 0; c < counts.size(); ++c)
        allowed[real.labels().names[c]] = (counts[c] * synthetic + ofReal - 1) / ofReal;
    return allowed;
}

} // namespace

std::vector<std::uint32_t> classSurplus(const AuditResult& audit, std::size_t model) {
    const ModelAudit& audited = *audit.models[model];
    const EmbeddingSet& set = *audited.set;
    std::vector<std::uint32_t> surplus;
    if (!haveCommonClass(*audit.real->set, set))
        return surplus;
    const std::map<std::string, std::size_t> allowed = allowances(*audit.real->set, set.labels().classified());
    const auto& names = set.labels().names;
    std::vector<std::vector<std::uint32_t>> byClass(names.size());
    for (std::uint32_t row = 0; row < set.rows(); ++row)
        byClass[set.labels().code[row]].push_back(row);
    const std::vector<double>* suspicion = audited.hasColumn("p_any") ? &audited.column("p_any") : nullptr;
    for (std::size_t c = 0; c < names.size(); ++c) {
        if (names[c].empty()) // no class has too many of them
            continue;
        const auto at = allowed.find(names[c]);
        const std::size_t most = at == allowed.end() ? 0 : at->second;
        std::vector<std::uint32_t>& rows = byClass[c];
        if (rows.size() <= most)
            continue;
        if (suspicion)
            std::stable_sort(rows.begin(), rows.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return (*suspicion)[a] < (*suspicion)[b]; });
        surplus.insert(surplus.end(), rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(most));
    }
    std::sort(surplus.begin(), surplus.end());
    return surplus;
}

} // namespace assay

#include "engine/subsets/rules/good_samples.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/entropy/entropy.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/verdicts/sample_statistics.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

/// The adjusted p-value q_any that a synthetic sample with this p_any has.
std::vector<double> adjusted(const ModelAudit& model, const std::vector<double>& goodP) {
    const std::vector<double>& p = model.column("p_any");
    const std::vector<double>& q = model.column("q_any");
    std::vector<std::pair<double, double>> known(p.size());
    for (std::size_t j = 0; j < p.size(); ++j)
        known[j] = {p[j], q[j]};
    std::sort(known.begin(), known.end());
    return metrics::mapped(goodP, [&](double value) {
        const auto at = std::lower_bound(known.begin(), known.end(), std::pair(value, 0.0));
        return at == known.end() ? 1.0 : at->second;
    });
}

std::vector<double> ofRealSet(const RealAnalysis& real, std::string_view column) {
    if (column == "fidelity")
        return metrics::realFidelity(real);
    if (column == "clipped_ball_count")
        return metrics::asNumbers(real.innerHolding);
    if (column == "nearest_real_distance")
        return real.neighbors.distancesAt(1);
    if (column == "pce")
        return metrics::realEntropyTerms(real);
    if (column == "authentic")
        return metrics::mapped(copyRatiosWithin(real.neighbors), [](double ratio) { return ratio > 1.0 ? 1.0 : 0.0; });
    return {};
}

} // namespace

std::optional<std::vector<double>> goodSampleValues(const AuditResult& audit, std::size_t model,
                                                    std::string_view column) {
    const ModelAudit& audited = *audit.models[model];
    if (const ColumnValues* known = findBy(audited.good, &ColumnValues::id, column))
        return known->values;
    if (column == "q_any" || column == "verdict") {
        const ColumnValues* p = findBy(audited.good, &ColumnValues::id, "p_any");
        if (p == nullptr)
            return std::nullopt;
        const std::vector<double> q = adjusted(audited, p->values);
        if (column == "q_any")
            return q;
        // Which of the verdicts does not matter: accused or not.
        return metrics::mapped(q, [&](double value) { return value <= audit.falseDiscoveryRate ? 1.0 : 0.0; });
    }
    if (audit.heldOut)
        return audit.heldOut->audit->hasColumn(column) ? std::optional(audit.heldOut->audit->column(column))
                                                       : std::nullopt;
    std::vector<double> values = ofRealSet(*audit.real, column);
    return values.empty() ? std::nullopt : std::optional(std::move(values));
}

std::optional<double> falseAlarmRate(const AuditResult& audit, std::size_t model, const FilterRules& rules) {
    requireRules(audit, model, rules.list);
    const bool all = rules.match == RuleMatch::All;
    std::vector<bool> kept((audit.heldOut ? *audit.heldOut->audit->set : *audit.real->set).rows(),
                           all || rules.empty());
    for (const FilterRule& rule : rules.list) {
        const auto values = goodSampleValues(audit, model, rule.column);
        if (!values)
            return std::nullopt;
        const RuleRange range = rangeOf(rule, audit.models[model]->column(rule.column));
        for (std::size_t row = 0; row < kept.size(); ++row)
            kept[row] = all ? kept[row] && range.keeps((*values)[row]) : kept[row] || range.keeps((*values)[row]);
    }
    return static_cast<double>(std::count(kept.begin(), kept.end(), false)) / static_cast<double>(kept.size());
}

} // namespace assay

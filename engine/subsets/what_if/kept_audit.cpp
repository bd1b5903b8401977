#include "engine/subsets/what_if/kept_audit.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/kernels.h"
#include "engine/subsets/rules/good_samples.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace assay {
namespace {

/// Classes or groups of some rows.
ClassLabels chosenOf(const ClassLabels& all, const std::vector<std::uint32_t>& rows) {
    ClassLabels labels;
    if (all.code.empty())
        return labels;
    labels.names = all.names;
    for (const std::uint32_t row : rows)
        labels.code.push_back(all.code[row]);
    return labels;
}

/// Copies the selected rows of a set without pictures, which scores do not need.
std::shared_ptr<const EmbeddingSet> scored(const EmbeddingSet& set, const std::vector<bool>& flags,
                                           const std::string& name) {
    const std::vector<std::uint32_t> rows = rowsWhere(flags.size(), [&](std::size_t row) { return flags[row]; });
    EmbeddingParts parts = EmbeddingParts::of(gatherRows(set.matrix(), rows), set.dim(), name);
    parts.labels = chosenOf(set.labels(), rows);
    parts.groups = chosenOf(set.groups(), rows);
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

} // namespace

std::vector<bool> randomRows(std::size_t rows, std::size_t count) {
    std::vector<bool> flags(rows, false);
    for (const std::uint32_t row : drawNumbers(count, rows, rows))
        flags[row] = true;
    return flags;
}

AuditOptions optionsOf(const AuditResult& audit, AuditOptions options) {
    options = continued(audit, std::move(options));
    options.tablesOnly = audit.described == nullptr;
    return options;
}

KeptAudit auditKept(const AuditResult& audit, std::size_t model, const SampleFilter& filter, AuditOptions options,
                    const JobContext& job) {
    KeptAudit result = auditKept(audit, model, AppliedFilter(audit, model, filter).kept(), std::move(options), job);
    result.falseAlarmRate = falseAlarmRate(audit, model, filter.rules);
    return result;
}

KeptAudit auditKept(const AuditResult& audit, std::size_t model, const std::vector<bool>& kept, AuditOptions options,
                    const JobContext& job) {
    const ModelAudit& audited = *audit.models.at(model);
    KeptAudit result;
    result.keptCount = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true));
    result.rejectedCount = kept.size() - result.keptCount;
    if (result.keptCount <= audit.k)
        return result;
    options = optionsOf(audit, std::move(options));
    const std::vector<bool> random = randomRows(audited.set->rows(), result.keptCount);
    std::vector<AuditModel> parts;
    for (const auto& [flags, what] : {std::pair(&kept, " (kept)"), std::pair(&random, " (random)")})
        parts.push_back({audited.name + what, scored(*audited.set, *flags, audited.name + what)});
    const auto all = addModels(audit, parts, options, job);
    result.kept = all->models[all->models.size() - 2];
    result.random = all->models.back();
    return result;
}

namespace {

/// Whether any kept sample lies in the ball of a real sample.
bool holdsKept(const AuditResult& audit, const ModelAudit& model, std::uint32_t real, const std::vector<bool>& kept) {
    const MatrixView synthetic = model.set->matrix();
    const auto squaredDistance = kernels().squaredDistance;
    const float* centre = audit.real->set->matrix().rowData(real);
    for (std::size_t row = 0; row < kept.size(); ++row)
        if (kept[row] &&
            std::sqrt(squaredDistance(centre, synthetic.rowData(row), synthetic.dim)) <= audit.real->radius[real])
            return true;
    return false;
}

} // namespace

CoverageLost coverageLost(const AuditResult& audit, std::size_t model, const std::vector<bool>& kept,
                          const JobContext& job) {
    const ModelAudit& audited = *audit.models.at(model);
    const NeighborTable& near = audited.tables->real.nearest;
    CoverageLost lost;
    for (std::uint32_t real = 0; real < near.rows(); ++real) {
        if (real % 4096 == 0)
            job.throwIfStopped();
        std::size_t inside = 0;
        bool covered = false;
        while (!covered && inside < near.k && near.distanceAt(real, inside) <= audit.real->radius[real])
            covered = kept[near.indexAt(real, inside++)];
        if (covered || inside == 0)
            continue;
        // Where the list ends within the ball there may be more.
        if (inside == near.k && holdsKept(audit, audited, real, kept))
            continue;
        lost.real.push_back(real);
        lost.coverers.push_back(near.indexAt(real, 0));
    }
    std::sort(lost.coverers.begin(), lost.coverers.end());
    lost.coverers.erase(std::unique(lost.coverers.begin(), lost.coverers.end()), lost.coverers.end());
    return lost;
}

} // namespace assay

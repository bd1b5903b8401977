#include "engine/subsets/what_if/coverage_lost.h"

#include "engine/audit/result/audit_result.h"
#include "engine/math/products/kernels.h"

#include <algorithm>
#include <cmath>

namespace assay {
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

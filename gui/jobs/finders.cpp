#include "gui/jobs/finders.h"

#include "engine/audit/result/audit_result.h"

#include <utility>

namespace assay {

void PairFinder::find(std::shared_ptr<const AuditResult> audit, std::size_t model) {
    jobs_.start<PairLists>(
        tr("Looking for pairs"),
        [audit = std::move(audit), model](const RunningJob& job) { return findPairs(*audit, model, job.context()); },
        [this](std::shared_ptr<const PairLists> lists) { emit found(std::move(lists)); });
}

void HoleFinder::find(std::shared_ptr<const AuditResult> audit, std::size_t model) {
    jobs_.start<CoverageHoles>(
        tr("Grouping missed real samples"),
        [audit = std::move(audit), model](const RunningJob& job) {
            return std::make_shared<const CoverageHoles>(coverageHoles(*audit, model, job.context()));
        },
        [this](std::shared_ptr<const CoverageHoles> holes) { emit found(std::move(holes)); });
}

void DensityMapper::map(std::shared_ptr<const DensityRequest> request) {
    jobs_.start<PlaneDensity>(
        tr("Mapping densities"),
        [request = std::move(request)](const RunningJob& job) { return planeDensity(*request, job.context()); },
        [this](std::shared_ptr<const PlaneDensity> density) { emit mapped(std::move(density)); });
}

} // namespace assay

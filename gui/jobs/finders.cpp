#include "gui/jobs/finders.h"

#include "engine/audit/result/audit_result.h"
#include "engine/subsets/rules/filter.h"

#include <utility>

namespace assay {

void PairFinder::find(std::shared_ptr<const AuditResult> audit, std::size_t model) {
    jobs_.start<PairLists>(
        tr("Looking for pairs"),
        [audit = std::move(audit), model](const RunningJob& job) { return findPairs(*audit, model, job.context()); },
        [this](std::shared_ptr<const PairLists> lists) { emit found(std::move(lists)); });
}

void DuplicateFinder::find(std::shared_ptr<const AuditResult> audit, std::size_t model) {
    jobs_.start<std::vector<std::uint32_t>>(
        tr("Looking for near duplicates"),
        [audit, model](const RunningJob&) {
            return std::make_shared<const std::vector<std::uint32_t>>(nearDuplicates(*audit, model));
        },
        [this, audit, model](std::shared_ptr<const std::vector<std::uint32_t>> rows) {
            emit found(audit, model, std::move(rows));
        });
}

void HoleFinder::find(std::shared_ptr<const AuditResult> audit, std::size_t model) {
    jobs_.start<CoverageHoles>(
        tr("Grouping missed real samples"),
        [audit = std::move(audit), model](const RunningJob& job) {
            return std::make_shared<const CoverageHoles>(coverageHoles(*audit, model, job.context()));
        },
        [this](std::shared_ptr<const CoverageHoles> holes) { emit found(std::move(holes)); });
}

void ClassFinder::find(std::shared_ptr<const AuditResult> audit, std::size_t model) {
    jobs_.start<ComparedClasses>(
        tr("Looking at classes of nearest samples"),
        [audit = std::move(audit), model](const RunningJob&) {
            return std::make_shared<const ComparedClasses>(compareClasses(*audit, model));
        },
        [this](std::shared_ptr<const ComparedClasses> classes) { emit found(std::move(classes)); });
}

void ContrastFinder::find(std::shared_ptr<const AuditResult> audit, std::size_t first, std::size_t second) {
    jobs_.start<ModelContrast>(
        tr("Comparing two models"),
        [audit = std::move(audit), first, second](const RunningJob& job) {
            return std::make_shared<const ModelContrast>(contrastModels(*audit, first, second, job.context()));
        },
        [this](std::shared_ptr<const ModelContrast> contrast) { emit found(std::move(contrast)); });
}

void ExposureFinder::find(std::shared_ptr<const AuditResult> audit, std::size_t model) {
    jobs_.start<PairLists>(
        tr("Ranking real samples by exposure"),
        [audit = std::move(audit), model](const RunningJob& job) { return findExposed(*audit, model, job.context()); },
        [this](std::shared_ptr<const PairLists> lists) { emit found(std::move(lists)); });
}

void Classifier::classify(std::shared_ptr<const AuditResult> audit, std::size_t model) {
    jobs_.start<PredictedClasses>(
        tr("Classifying real samples"),
        [audit = std::move(audit), model](const RunningJob& job) {
            const UsefulWhatIf whatIf(audit, model, {}, job.context());
            return std::make_shared<const PredictedClasses>(whatIf.predictedClasses(job.context()));
        },
        [this](std::shared_ptr<const PredictedClasses> classes) { emit classified(std::move(classes)); });
}

void DensityMapper::map(std::shared_ptr<const DensityRequest> request) {
    jobs_.start<PlaneDensity>(
        tr("Mapping densities"),
        [request = std::move(request)](const RunningJob& job) { return planeDensity(*request, job.context()); },
        [this](std::shared_ptr<const PlaneDensity> density) { emit mapped(std::move(density)); });
}

void OtherModelsPlacer::place(std::shared_ptr<const OtherModelsRequest> request) {
    jobs_.start<OtherModels>(
        tr("Placing the other models"),
        [request = std::move(request)](const RunningJob& job) { return placeOtherModels(*request, job.context()); },
        [this](std::shared_ptr<const OtherModels> others) { emit placed(std::move(others)); });
}

} // namespace assay

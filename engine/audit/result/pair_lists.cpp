#include "engine/audit/result/pair_lists.h"

#include "engine/audit/result/audit_result.h"

namespace assay {

std::shared_ptr<const PairLists> findPairs(const AuditResult& audit, std::size_t model, const JobContext& job) {
    auto found = std::make_shared<PairLists>();
    found->model = audit.models[model];
    found->heldOut = audit.heldOut;
    found->lists = {
        duplicatePairs(*audit.real, *found->model, audit.seed, job), copyPairs(*audit.real, *found->model, job),
        found->heldOut ? copyPairs(*audit.real, *found->heldOut->audit, job) : SamplePairs{}, SamplePairs{}};
    return found;
}

std::shared_ptr<const PairLists> findExposed(const AuditResult& audit, std::size_t model, const JobContext& job) {
    auto found = std::make_shared<PairLists>();
    found->model = audit.models[model];
    found->heldOut = audit.heldOut;
    if (found->heldOut)
        found->lists[static_cast<std::size_t>(PairKind::Exposed)] =
            exposedPairs(*found->model, found->heldOut->audit->set->rows(), job);
    return found;
}

} // namespace assay

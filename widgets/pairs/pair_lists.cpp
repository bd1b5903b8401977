#include "widgets/pairs/pair_lists.h"

#include "engine/audit/result/audit_result.h"

namespace assay {

std::shared_ptr<const PairLists> findPairs(const AuditResult& audit, std::size_t model, const JobContext& job) {
    auto found = std::make_shared<PairLists>();
    found->model = audit.models[model];
    found->heldOut = audit.heldOut;
    found->lists = {duplicatePairs(*audit.real, *found->model, audit.seed, job),
                    copyPairs(*audit.real, *found->model, job),
                    found->heldOut ? copyPairs(*audit.real, *found->heldOut->audit, job) : SamplePairs{}};
    return found;
}

} // namespace assay

#include "gui/jobs/pair_finder.h"

#include "engine/audit/result/audit_result.h"

#include <utility>

namespace assay {

void PairFinder::find(std::shared_ptr<const AuditResult> audit, std::size_t model) {
    jobs_.start<PairLists>(
        tr("Looking for pairs"),
        [audit = std::move(audit), model](const RunningJob& job) { return findPairs(*audit, model, job.context()); },
        [this](std::shared_ptr<const PairLists> lists) { emit found(std::move(lists)); });
}

} // namespace assay

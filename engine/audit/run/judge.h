#pragma once

#include "engine/audit/run/audit.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <memory>
#include <vector>

namespace assay {

/// What finds neighbours of single rows beside the passes: theirs, or where several machines share them and each holds
/// the whole sets, one of this process. Every search has the same answers.
class RowSearch {
public:
    RowSearch(const AuditSearch& search, MatrixView sample, const AuditOptions& options, const JobContext& job)
        : search_(search.local()) {
        if (search_ == nullptr) {
            own_ = options.makeSearch(BackendChoice::Auto, sample, options.threads, job);
            search_ = own_.get();
        }
    }
    const NeighborSearch& operator*() const noexcept { return *search_; }

private:
    std::unique_ptr<NeighborSearch> own_;
    const NeighborSearch* search_;
};

/// What is said of the synthetic samples.
/// @param in with the tables @param heldOut audit of the held-out set, or null
/// @throws Cancelled
VerdictScores judgeSamples(const MetricInputs& in, const EmbeddingSet& model, const ModelAudit* heldOut,
                           const AuditOptions& options, const AuditSearch& search);

/// What is said of the real samples, all of which this process has to hold. @throws Cancelled
CoverageVerdicts judgeRealSamples(const MetricInputs& in, const EmbeddingSet& model, const AuditOptions& options,
                                  const AuditSearch& search);

/// What the good samples score, as columns of the synthetic side.
std::vector<ColumnValues> goodColumns(GoodScores good);

} // namespace assay

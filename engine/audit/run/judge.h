#pragma once

#include "engine/audit/run/audit.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <memory>
#include <vector>

namespace assay {

/// Neighbour search for single rows outside the passes. It is the search of the passes if that runs in this process. If
/// the passes are shared between several processes but each holds the whole sets, it is a new search of this process.
/// All searches return equal results.
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

/// Computes the verdicts on the synthetic samples.
/// @param in with the neighbour tables
/// @param heldOut audit of the held-out set, or null
/// @throws Cancelled
VerdictScores judgeSyntheticSamples(const MetricInputs& in, const EmbeddingSet& model, const ModelAudit* heldOut,
                                    const AuditOptions& options, const AuditSearch& search);

/// Computes the verdicts on the real samples. Precondition: this process holds all of them.
/// @throws Cancelled
CoverageVerdicts judgeRealSamples(const MetricInputs& in, const EmbeddingSet& model, const AuditOptions& options,
                                  const AuditSearch& search);

/// Converts the calibration samples' scores to columns of the synthetic side.
std::vector<ColumnValues> goodColumns(CalibrationScores good);

} // namespace assay

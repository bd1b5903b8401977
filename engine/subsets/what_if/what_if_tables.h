#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/tables/subset_neighbors.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/subsets/rules/filter.h"
#include "engine/subsets/what_if/ball_members.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace assay {

/// What WhatIf reads and deepens: neighbours of real and synthetic samples among subsets of the synthetic ones, and
/// the real samples in synthetic balls.
struct WhatIfTables {
    WhatIfTables(std::shared_ptr<const AuditResult> result, std::size_t model, std::unique_ptr<NeighborSearch> how,
                 std::size_t bytesPerSample, SubsetScores scores);

    std::shared_ptr<const AuditResult> audit;
    const RealAnalysis& real;
    const ModelAudit& model;
    std::size_t k;
    SubsetScores scores;
    std::unique_ptr<NeighborSearch> search;
    SubsetNeighbors realToSynthetic;
    SubsetNeighbors syntheticToSynthetic;
    BallMembers realInBalls;
    std::size_t byteLimit;

    /// Neighbours that the metrics look at: of a synthetic sample in its own set, of a real one in the synthetic set.
    std::size_t ownNeighbors() const {
        return scores == SubsetScores::Samples ? std::max(k, audit->cover.neighbors()) : k;
    }
    std::size_t neighborsOfReal() const { return scores == SubsetScores::Samples ? std::max(k, audit->cover.k) : k; }
    std::size_t realRows() const { return real.set->rows(); }
    std::size_t syntheticRows() const { return model.set->rows(); }
    std::size_t bytes() const { return realToSynthetic.bytes() + syntheticToSynthetic.bytes() + realInBalls.bytes(); }
    /// Of byteLimit, for lists of members: other ways to find these are quicker than those to find neighbours.
    std::size_t ballByteLimit() const { return byteLimit / 4; }
    /// Forgets what was not read for longest until the limit holds again.
    /// @param kept the subset in use
    void trim(const RowMask& kept);
    /// Forgets everything but the audit's own tables.
    void forget();
};

/// Deepens the tables for every threshold on `score`, until their limit is reached. See WhatIf::prepare.
/// @param others synthetic rows that all other rules keep
void prepareSweep(WhatIfTables& tables, std::span<const double> score, Bound bound, const RowMask& others,
                  const JobContext& job);

} // namespace assay

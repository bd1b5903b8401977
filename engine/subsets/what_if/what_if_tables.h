#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/tables/subset_neighbors.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/subsets/what_if/ball_members.h"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace assay {

/// Tables that WhatIf reads and extends: neighbours of real and synthetic samples among subsets of the synthetic
/// samples, and the real samples in synthetic balls.
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

    /// Number of neighbours that the metrics read: of a synthetic sample in its own set (ownNeighbors()), and of a real
    /// sample in the synthetic set (neighborsOfReal()).
    std::size_t ownNeighbors() const {
        return scores == SubsetScores::Samples ? std::max(k, audit->cover.neighbors()) : k;
    }
    std::size_t neighborsOfReal() const { return scores == SubsetScores::Samples ? std::max(k, audit->cover.k) : k; }
    std::size_t realRows() const { return real.set->rows(); }
    std::size_t syntheticRows() const { return model.set->rows(); }
    std::size_t bytes() const { return realToSynthetic.bytes() + syntheticToSynthetic.bytes() + realInBalls.bytes(); }
    /// Part of byteLimit for membership lists. It is small because memberships can be found in other ways that are
    /// faster than searching neighbours again.
    std::size_t ballByteLimit() const { return byteLimit / 4; }
    /// Drops the least recently used lists until the limit holds.
    /// @param kept the subset in use
    void trim(const RowMask& kept);
};

} // namespace assay

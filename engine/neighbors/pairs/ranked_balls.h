#pragma once

#include "engine/base/compute_context.h"
#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Several closed balls around each row of a set, growing from level to level.
struct RankedBalls {
    MatrixView centres;
    MatrixView points;              ///< of the same dimension
    std::size_t levels = 0;         ///< balls around each centre
    std::span<const double> radius; ///< centres x levels, never falling from level to level
    std::span<const double> cap; ///< one per level, never falling: clipped balls have radius min(radius, cap); or empty
    /// How often each centre occurs; empty: once each.
    std::span<const std::uint32_t> times = {};
    /// Distances that need not be measured again: of each centre to some of the points; or null.
    const NeighborTable* known = nullptr;
};

/// How many balls of each level hold each point: points x levels.
struct RankedBallCounts {
    std::vector<std::uint32_t> holding;
    std::vector<std::uint32_t> clippedHolding; ///< of the clipped balls; empty without caps
};

/// Counts the balls of every level in one search over all pairs. Exact: pairs whose bounds leave a doubt are measured.
/// A point that is itself a centre is counted in its own balls too.
/// @param threads 0 for every core
/// @param accelerator see PairProposer
/// @throws Error{InvalidArgument} when sizes disagree or there are more columns than the bounds allow; Cancelled
RankedBallCounts countRankedBalls(PairSearch search, const RankedBalls& balls, unsigned threads, const JobContext& job,
                                  const Accelerator* accelerator = nullptr);

} // namespace assay

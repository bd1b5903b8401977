#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/k_means.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// The real set divided into regions of similar samples, to find missing modes that have no label. Source: Richardson
/// and Weiss, NeurIPS 2018 (NDB).
struct RealModes {
    Cells cells;                       ///< cells fitted to up to 1,000 evenly spaced rows; `cell` has N entries
    std::vector<std::uint32_t> counts; ///< number of real samples per cell

    /// Number of regions: one per hundred real samples, clamped to [2, 50].
    static std::size_t countFor(std::size_t realRows) noexcept;
};

/// Divides the real set into RealModes::countFor(N) regions by k-means; fewer if the set has fewer different rows.
/// @param real N x d
/// @param search finds the nearest centre of every row
/// @param threads 0: all cores
/// @throws Cancelled
RealModes findModes(MatrixView real, std::uint64_t seed, const NeighborSearch& search, unsigned threads,
                    const JobContext& job);

/// Counts the rows of another set in each region: one count per region.
/// @throws Cancelled
std::vector<std::uint32_t> countModes(const RealModes& modes, MatrixView set, const NeighborSearch& search,
                                      const JobContext& job);

} // namespace assay

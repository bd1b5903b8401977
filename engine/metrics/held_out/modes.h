#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/k_means.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// The real set cut into regions of like samples, for modes that no label names. Source: Richardson and Weiss, NeurIPS
/// 2018 (NDB).
struct RealModes {
    Cells cells;                       ///< found for up to 1,000 evenly spaced rows; `cell` is of all N
    std::vector<std::uint32_t> counts; ///< real samples of each

    /// One region per hundred real samples, from 2 to 50 of them.
    static std::size_t countFor(std::size_t realRows) noexcept;
};

/// @throws Cancelled
RealModes findModes(MatrixView real, std::uint64_t seed, const NeighborSearch& search, unsigned threads,
                    const JobContext& job);

/// Rows of another set in each of the regions. @throws Cancelled
std::vector<std::uint32_t> countModes(const RealModes& modes, MatrixView set, const NeighborSearch& search,
                                      const JobContext& job);

} // namespace assay

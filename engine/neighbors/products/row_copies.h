#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Copies of one row that are left out of a set.
struct CopyGroup {
    std::uint32_t first = 0;              ///< the lowest row among the equal ones, which stays
    std::uint32_t firstKept = 0;          ///< the same, counted among the rows that stay
    std::vector<std::uint32_t> leftOut{}; ///< ascending
};

/// A set without most copies of rows that it is full of.
struct ThinnedSet {
    std::vector<std::uint32_t> kept; ///< rows that stay, ascending
    std::vector<CopyGroup> groups;   ///< empty: nothing is left out, and `kept` is empty, too

    bool isWhole() const noexcept { return groups.empty(); }
};

/// Leaves out copies of a row beyond the `copies` lowest ones, where at least half of the set goes by that.
/// @param value that copies have to share, too: one per row, or empty
/// @throws Cancelled
ThinnedSet thin(MatrixView set, std::size_t copies, std::span<const double> value, const JobContext& job);

} // namespace assay

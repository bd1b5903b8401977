#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Groups of equal rows over one or several sets.
struct EqualRows {
    /// Per set and row: the number of the row's group. Rows are equal if all their values are; 0 and -0 are equal.
    std::vector<std::vector<std::uint32_t>> group;
    std::size_t groups = 0;

    /// Number of rows of a set in each group.
    std::vector<std::uint32_t> countsOf(std::size_t set) const;
};

/// Groups equal rows by their hashes; rows of one hash are compared. O(values + rows log rows).
/// @param sets matrices of one dimension, without NaN
/// @param columns the columns to compare; empty: all
/// @throws Cancelled
EqualRows groupEqualRows(std::span<const MatrixView> sets, const ComputeContext& context,
                         std::span<const std::uint32_t> columns = {});

/// Whether the k-th neighbour of some row, counted from 1, is at distance 0.
bool hasZeroDistance(const NeighborTable& table, std::size_t k);

/// Per row of one set: how many other rows equal it. Both are empty where no statistic needs them.
struct EqualCounts {
    std::vector<std::uint32_t> inReal;      ///< rows of the real set, without the row itself
    std::vector<std::uint32_t> inSynthetic; ///< rows of the synthetic set, without the row itself
    std::vector<std::uint32_t> inOwn{};     ///< of held-out samples: rows of their own set, without the row itself
};

/// The counts of every set that verdicts are made from.
struct EqualRowCounts {
    EqualCounts ofReal;
    EqualCounts ofSynthetic;
    EqualCounts ofHeldOut; ///< empty without held-out samples
};

/// Counts the equal rows of sets that this process holds.
/// @param heldOut empty for none
/// @throws Cancelled
EqualRowCounts countEqualRows(MatrixView real, MatrixView synthetic, MatrixView heldOut, const ComputeContext& context);

} // namespace assay

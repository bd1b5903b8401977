#pragma once

#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>

namespace assay {

/// How far from each other in the file nearest neighbours stand.
struct RowOrderTest {
    std::size_t rows = 0;
    std::size_t beside = 0; ///< rows whose nearest other row is 1 to 5 rows away
    std::size_t apart = 0;  ///< rows whose nearest other row is 21 to 25 rows away
    double pValue = 1.0;    ///< of as many `beside` for the sum of both, where rows were sorted by class

    /// (beside - apart) / rows; 0 without rows.
    double excess() const noexcept;
    /// Whether neighbouring rows of the file are alike: slices, frames or augmentations of one thing.
    bool areNeighborsAlike() const noexcept { return rows >= 60 && excess() >= 0.1 && pValue < 0.001; }

    bool operator==(const RowOrderTest&) const = default;
};

/// Tests whether neighbouring rows of a file are alike. Where rows were only sorted by class, in blocks of 50 or more,
/// at most 65 % of `beside` and `apart` together are `beside`; neighbours come in pairs, so half of them count. O(N).
/// @param real nearest other rows of the real set in itself, in the order of its file, k >= 1
RowOrderTest testRowOrder(const NeighborTable& real);

} // namespace assay

#pragma once

#include "engine/neighbors/search/neighbor_search.h"

#include <cstdint>
#include <span>
#include <string>

namespace assay::cuda {

// Comparisons of a graphics card's results with the CPU's, bit for bit. Each returns the first difference in words
// ("row 3, neighbour 2: expected row 17 at distance 1.25, found row 18 at distance 1.25"), or an empty string.

/// @param found neighbours of all rows
/// @param expected neighbours of some rows
/// @param rows row of `found` that each row of `expected` belongs to; empty: the same row
std::string firstDifference(const NeighborTable& found, const NeighborTable& expected,
                            std::span<const std::uint32_t> rows = {});

/// Rows of both sets that expected values are of; empty: all rows.
struct ComparedRows {
    std::span<const std::uint32_t> a, b;
};
/// Compares the lists and counts of one pass over two sets.
std::string firstDifference(const PassResult& found, const PassResult& expected, const ComparedRows& rows = {});

} // namespace assay::cuda

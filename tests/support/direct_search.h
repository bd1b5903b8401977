#pragma once

#include "engine/neighbors/search/neighbor_search.h"

namespace assay::test {

/// The k nearest rows of `base` to each of `queries`, by measuring every pair in double precision: what every backend
/// has to return, bit for bit. @param sameSet the sets are one: no row is its own neighbour
NeighborTable directNeighbors(MatrixView base, MatrixView queries, std::size_t k, bool sameSet);
/// The same for a search between two sets, with the counts of their balls.
PassResult directBetween(const SideQuery& a, const SideQuery& b);

/// Both sides of a search.
struct Sides {
    SideQuery a, b;
};

} // namespace assay::test

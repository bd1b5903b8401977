#pragma once

#include "engine/neighbors/search/neighbor_search.h"

#include <memory>

namespace assay {

/// A search that leaves most copies of a row out of the set that is searched, where half of it or more are copies of a
/// few rows: a model that has collapsed. Bounds exclude nothing among equal rows, so each would be measured against
/// each. Of equal rows only the k + 1 lowest indices can be among the k nearest of anything, and whatever else is asked
/// of the others follows from one of these: the answers are the same, bit for bit. Other sets pass through after a look
/// at 256 of their rows.
/// @param threads 0 for every core
std::unique_ptr<NeighborSearch> makeThinnedSearch(std::unique_ptr<NeighborSearch> search, unsigned threads);

} // namespace assay

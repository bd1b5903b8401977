#pragma once

#include "engine/neighbors/search/neighbor_search.h"

#include <memory>

namespace assay {

/// Wraps a search to handle sets that consist to half or more of copies of a few rows, as those of a collapsed model.
/// Pruning bounds exclude no candidate among equal rows, so each row would be measured against each. The wrapper
/// removes most copies from the searched set. Of equal rows only the k + 1 lowest indices can be among the k nearest
/// neighbours of any row, and all other results of a removed row follow from one of its copies. Results are equal, bit
/// for bit. Other sets are passed on unchanged after a test of 256 of their rows.
/// @param threads 0: all cores
std::unique_ptr<NeighborSearch> makeThinnedSearch(std::unique_ptr<NeighborSearch> search, unsigned threads);

} // namespace assay

#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Who is how near to whom, without a direction: edges in the order of (row, neighbour), each listed from both ends.
struct NeighborGraph {
    std::vector<std::size_t> begin;      ///< of row r's edges, and behind the last row: their end
    std::vector<std::uint32_t> neighbor; ///< of each edge
    std::vector<float> weight;           ///< in (0, 1], the same at both ends

    std::size_t rows() const noexcept { return begin.empty() ? 0 : begin.size() - 1; }
};

/// A row's nearest neighbour has weight 1, farther ones less, as quickly less as makes a row's weights add up to log2
/// k: crowded and thin regions count alike. Both ends' weights u and v make u + v - u v.
/// @param neighbors of each row among the same rows, none of them itself
/// @param threads 0 for every core
/// @throws Cancelled
/// Source: McInnes, Healy, Melville, UMAP, 2018.
NeighborGraph neighborGraph(const NeighborTable& neighbors, unsigned threads = 0, const JobContext& job = {});

} // namespace assay

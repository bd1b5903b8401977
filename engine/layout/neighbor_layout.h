#pragma once

#include "engine/base/job_context.h"
#include "engine/layout/neighbor_graph.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

class Accelerator;

struct LayoutOptions {
    std::size_t rounds = 0; ///< 0: 500 for up to 10,000 rows, 200 for more
    std::uint64_t seed = 0;
    unsigned threads = 0; ///< 0 for every core
};

/// Places rows in three dimensions so that neighbours lie together and others apart: neighbours attract each other by
/// their weight, pairs drawn at random repel each other. Lengths have no unit, and distances between groups mean
/// little. The same for any number of threads, on one kind of processor: rows move at once, each seeing where the
/// others were.
/// @param start where each row begins, say its principal components: what lies on which side is kept by and large
/// @param accelerator moves the rows where there is one and it does not decline
/// @return a position of each row, finite
/// @throws Error{InvalidArgument} when the counts differ, Cancelled
/// Source: McInnes, Healy, Melville, UMAP, 2018, with 1 / (1 + distance^2) as the curve in low dimensions.
std::vector<std::array<float, 3>> neighborLayout(const NeighborGraph& graph,
                                                 std::span<const std::array<float, 3>> start,
                                                 const LayoutOptions& options = {}, const JobContext& job = {},
                                                 const Accelerator* accelerator = nullptr);

} // namespace assay

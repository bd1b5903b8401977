#pragma once

#include "engine/metrics/topological/point_distances.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

/// A block of points and what is looked for in it.
struct PointSearch {
    const float* block; ///< coordinates of its points: dim x PointDistances::kBlock
    const PointDistances::Queries& queries;
    std::size_t dim;
    std::uint32_t firstRow;
};

/// Adds the block's points at a squared distance of at most the queries' limit. There is room for a block and 16 more.
void appendNear(const PointSearch& of, std::span<PointDistances::Found, PointDistances::kQueries> found);

} // namespace assay

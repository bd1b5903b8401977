#pragma once

#include "engine/metrics/topological/point_distances.h"
#include "engine/metrics/topological/rounded_points.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

/// A block of points and what is looked for in it.
struct PointSearch {
    const float* block; ///< coordinates of its points: dim x PointDistances::kBlock
    const float* lines; ///< the same point by point, null unless they are rounded: PointDistances::kBlock x padded
    const PointDistances::Queries& queries;
    std::size_t dim;
    std::size_t padded; ///< dim, and up to the next multiple of 16
    std::uint32_t firstRow;
};

/// Adds the block's points at a squared distance of at most the queries' limit. There is room for a block and 16 more.
void appendNear(const PointSearch& of, std::span<PointDistances::Found, PointDistances::kQueries> found);

using PointMasks = std::array<RoundedPoints::Mask, RoundedPoints::kQueries>;

/// The same of those points alone that are marked. Squared distances are appendNear's to the last bit.
void appendNearMarked(const PointSearch& of, const PointMasks& marked,
                      std::span<PointDistances::Found, PointDistances::kQueries> found);

/// A block of rounded points (engine/metrics/topological/rounded_points.cpp).
struct RoundedBlock {
    const std::uint8_t* bytes; ///< per group of four coordinates and point: the coordinates plus 128
    const std::int32_t* start; ///< per point
    std::size_t groups;
};

/// Marks the points whose start plus inner product with a query is at least the query's. @return how many marks
using MarkKernel = std::size_t (*)(const RoundedBlock& of,
                                   const std::array<RoundedPoints::Query, RoundedPoints::kQueries>& queries,
                                   PointMasks& marked);

/// Null where the processor has no instruction for it.
MarkKernel markKernel();

} // namespace assay

#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

/// Points in one block of a PointTree. A multiple of every vector width, and its masks fit one word.
inline constexpr std::size_t kBlockPoints = 64;

/// Points of one block found near the queries of another.
struct PointHits {
    std::uint8_t count[kBlockPoints];                  ///< per query
    std::uint8_t position[kBlockPoints][kBlockPoints]; ///< per query and hit, within the block, ascending
    float squared[kBlockPoints][kBlockPoints];         ///< per query and hit
};

/// The inner loops of the k-d tree, compiled for several instruction sets.
///
/// Some points of a block as queries.
struct BlockQueries {
    const float* block;
    std::uint64_t mask;  ///< a bit for each of its points
    const float* limits; ///< on squared distances, one for each of its points
};

/// A block holds up to 64 points dimension by dimension: coordinate c of point p at block[c * 64 + p], missing points
/// are NaN. Squared distances here are single precision and only propose (engine/neighbors/search/bounds.h says
/// how far they may be off), so variants may round differently.
struct LeafKernels {
    /// Which points of a block, as bits, are no further than limit[p] (squared) from a box.
    std::uint64_t (*pointsNearBox)(const float* block, std::size_t dim, const float* low, const float* high,
                                   const float* limit);

    /// For each query of the mask, points of a block whose squared distance from it is at most limits[query].
    /// @param hits written for the queries of the mask
    void (*pointsNearPoints)(const float* points, std::size_t dim, const BlockQueries& queries, PointHits& hits);

    /// Squared distance between two boxes. The arrays hold `padded` values, a multiple of 16, zero beyond the
    /// dimension.
    float (*boxDistance)(const float* lowA, const float* highA, const float* lowB, const float* highB,
                         std::size_t padded);

    /// The rank-th smallest of `count` values, none negative or NaN.
    /// @param values may be overwritten up to the next multiple of 16
    /// @param rank from 1 to count
    float (*smallest)(float* values, std::size_t count, std::size_t rank);
};

/// The variant for the best instruction set that this processor has.
const LeafKernels& leafKernels();

} // namespace assay

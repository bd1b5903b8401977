#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

/// Points in one block of a PointTree. A multiple of every vector width, and its masks fit one word.
inline constexpr std::size_t kBlockPoints = 64;

/// The inner loops of the k-d tree, one variant per instruction set.
///
/// A block holds up to 64 points dimension by dimension: coordinate c of point p at block[c * 64 + p], missing points
/// are NaN. Squared distances here are single precision and only propose (engine/knn/float_bounds.h says how far they
/// may be off), so variants may round differently.
struct LeafKernels {
    /// Which points of a block, as bits, are no further than limit[p] (squared) from a box.
    std::uint64_t (*pointsNearBox)(const float* block, std::size_t dim, const float* low, const float* high,
                                   const float* limit);

    /// Points of a block, among those of the mask `allowed`, whose squared distance from one point is at most `limit`.
    /// @param query coordinate c at query[c * 64]
    /// @param squared, position room for 64 entries; positions within the block, ascending
    /// @return how many there are
    std::size_t (*pointsNearPoint)(const float* block, std::size_t dim, const float* query, float limit,
                                   std::uint64_t allowed, float* squared, std::uint8_t* position);

    /// Squared distance between two boxes. The arrays hold `padded` values, a multiple of 16, zero beyond the
    /// dimension.
    float (*boxDistance)(const float* lowA, const float* highA, const float* lowB, const float* highB,
                         std::size_t padded);

    /// The rank-th smallest of `count` values, none negative or NaN.
    /// @param values may be overwritten up to the next multiple of 16
    /// @param rank from 1 to count
    float (*smallest)(float* values, std::size_t count, std::size_t rank);

    const char* name;
};

/// The best variant for this processor, chosen once.
const LeafKernels& leafKernels();

extern const LeafKernels kGenericLeafKernels;
extern const LeafKernels kAvx2LeafKernels;   ///< only to be called where the processor has AVX2 and FMA
extern const LeafKernels kAvx512LeafKernels; ///< only to be called where the processor has AVX-512 F, VL, BW and DQ

} // namespace assay

#pragma once

#include <cstdint>

namespace assay::space {

/// Where a row comes in a fixed order in which any first so many rows are spread over the whole set: a hash, so that
/// neither sorted files nor periods in them show.
inline std::uint64_t spreadPlace(std::uint64_t row) {
    // SplitMix64's finish (Steele, Lea, Flood 2014).
    std::uint64_t z = row + 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

} // namespace assay::space

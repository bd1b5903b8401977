#pragma once

#include "engine/base/mixed_bits.h"

#include <cstdint>

namespace assay::space {

/// Where a row comes in a fixed order in which any first so many rows are spread over the whole set: a hash, so that
/// neither sorted files nor periods in them show.
inline std::uint64_t spreadPlace(std::uint64_t row) {
    return mixedBits(row + kSplitMixStep);
}

} // namespace assay::space

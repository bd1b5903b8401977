#pragma once

#include "engine/base/host_device.h"

#include <cstdint>

namespace assay {

/// Step between the states of SplitMix64 (Steele, Lea, Flood 2014).
inline constexpr std::uint64_t kSplitMixStep = 0x9E3779B97F4A7C15ULL;

/// SplitMix64's finish: a bijection in which every bit of the result depends on all bits of the argument.
ASSAY_HOST_DEVICE std::uint64_t mixedBits(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

} // namespace assay

#pragma once

#include <cstdint>

namespace assay {

/// Hash of a row's values one after the other, from 0; distinguishes rows, no more.
inline std::uint64_t rowHashWith(std::uint64_t hash, std::uint64_t value) noexcept {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    hash = (hash ^ value) * kOdd;
    return hash ^ (hash >> 29U);
}

} // namespace assay

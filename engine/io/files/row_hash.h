#pragma once

#include <cstdint>

namespace assay {

/// Adds one value to the hash of a row; the hash starts at 0. Serves only to distinguish rows; not cryptographic.
inline std::uint64_t rowHashWith(std::uint64_t hash, std::uint64_t value) noexcept {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    hash = (hash ^ value) * kOdd;
    return hash ^ (hash >> 29U);
}

} // namespace assay

#pragma once

#include <bit>
#include <cstdint>

namespace assay {

/// The value of an IEEE 754 half-precision number. The conversion is exact for every half, subnormals included; NaN
/// keeps its payload.
/// @param bits 1 sign bit, 5 exponent bits, 10 fraction bits
constexpr float halfToFloat(std::uint16_t bits) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
    const std::uint32_t fraction = bits & 0x3FFu;
    if (exponent == 0) {
        // Subnormal or zero: fraction * 2^-24, which a float holds exactly.
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
    }
    const std::uint32_t wide = exponent == 0x1F ? 0xFFu : exponent + (127 - 15);
    return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

} // namespace assay

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

/// The number in at most 8 bytes, least significant first.
inline std::uint64_t littleEndian(std::span<const std::byte> bytes) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return value;
}

} // namespace assay

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace assay {

/// Finds the bytes of a stored (not compressed) entry of a zip archive in memory. libzip reads entries but does not
/// report their position. Source: PKWARE's APPNOTE.TXT 6.3, sections 4.3 and 4.5.3 (zip64).
/// @param index index of the entry in the archive's directory
/// @return empty when the entry is compressed or encrypted, or when the archive has an unusual layout
std::optional<std::span<const std::byte>> storedEntry(std::span<const std::byte> archive, std::uint64_t index);

} // namespace assay

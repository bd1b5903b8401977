#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace assay {

/// Where the bytes of a stored (not packed) entry lie in a zip archive that is in memory: libzip reads entries but does
/// not tell. Source: PKWARE's APPNOTE.TXT 6.3, sections 4.3 and 4.5.3 (zip64).
/// @param index of the entry in the archive's directory
/// @return nothing when the entry is packed or encrypted, or when the archive is not put together plainly
std::optional<std::span<const std::byte>> storedEntry(std::span<const std::byte> archive, std::uint64_t index);

} // namespace assay

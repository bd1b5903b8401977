#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// What HDF5 does to a piece (chunk) of an array before it stores it, undone here rather than by the library, which
// takes as much memory as a file claims. Source: HDF5 File Format Specification 3.0, IV.A.2.l (filter pipeline).
namespace assay {

/// One step that a chunk went through when it was written.
struct ChunkFilter {
    enum class Kind { Shuffle, Deflate, Checksum };

    Kind kind = Kind::Deflate;
    std::size_t itemBytes = 1; ///< of Kind::Shuffle
};

/// Most that deflate packs bytes into one.
inline constexpr std::uint64_t kDeflateRatio = 1032;

/// A chunk as it was before it was stored.
/// @param filters in the order in which they were applied; bit i of `skipped` says that filter i was not
/// @param bytes of the chunk; never takes much more memory
/// @throws Error{BadInput} for damaged data, or any other number of bytes
std::vector<std::byte> unpackChunk(std::vector<std::byte> stored, const std::vector<ChunkFilter>& filters,
                                   std::uint32_t skipped, std::size_t bytes, const std::string& where);

/// How an array of at least one axis is cut into chunks.
struct ChunkGrid {
    std::vector<std::uint64_t> shape; ///< of the array
    std::vector<std::uint64_t> chunk; ///< of a chunk, as many axes
    std::size_t itemBytes = 1;

    /// Of one chunk, and of all, counted whole where they reach beyond the array; largest number where that is beyond
    /// 64 bits.
    std::uint64_t chunkBytes() const noexcept;
    std::uint64_t allChunkBytes() const noexcept;
    /// Rows of the band of chunks that begins at a row.
    std::uint64_t bandRows(std::uint64_t firstRow) const noexcept;
    /// Of one row of the array.
    std::uint64_t rowBytes() const noexcept;
    /// Moves `origin`, the first element of a chunk, to the next chunk of the same band. @return false after the last
    bool advance(std::vector<std::uint64_t>& origin) const noexcept;
    /// Copies what of a chunk lies in the array into its band: rows from origin[0] on, in C order.
    void copy(std::span<const std::byte> chunkData, const std::vector<std::uint64_t>& origin,
              std::span<std::byte> band) const;
};

} // namespace assay

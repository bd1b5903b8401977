#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Undoes the filters that HDF5 applies to a chunk of an array before it stores it. The library is not used for this,
// because it allocates as much memory as a file claims to need. Source: HDF5 File Format Specification 3.0, IV.A.2.l
// (filter pipeline).
namespace assay {

/// One filter that was applied when a chunk was written.
struct ChunkFilter {
    enum class Kind { Shuffle, Deflate, Checksum };

    Kind kind = Kind::Deflate;
    std::size_t itemBytes = 1; ///< element size, for Kind::Shuffle
};

/// Largest compression ratio of deflate.
inline constexpr std::uint64_t kDeflateRatio = 1032;

/// Restores a chunk's original bytes.
/// @param filters in the order in which they were applied; bit i of `skipped` is set when filter i was not applied
/// @param bytes size of the original chunk; limits the memory that is used
/// @throws Error{BadInput} for damaged data, or when the result has another size
std::vector<std::byte> unpackChunk(std::vector<std::byte> stored, const std::vector<ChunkFilter>& filters,
                                   std::uint32_t skipped, std::size_t bytes, const std::string& where);

/// How an array with at least one axis is divided into chunks.
struct ChunkGrid {
    std::vector<std::uint64_t> shape; ///< shape of the array
    std::vector<std::uint64_t> chunk; ///< shape of a chunk, same number of axes
    std::size_t itemBytes = 1;

    /// Bytes of one chunk, and of all chunks. Chunks that reach beyond the array count in full. The largest
    /// std::uint64_t on overflow.
    std::uint64_t chunkBytes() const noexcept;
    std::uint64_t allChunkBytes() const noexcept;
    /// Number of rows in the band of chunks that begins at row `firstRow`.
    std::uint64_t bandRows(std::uint64_t firstRow) const noexcept;
    /// Bytes of one row of the array.
    std::uint64_t rowBytes() const noexcept;
    /// Moves `origin`, the index of a chunk's first element, to the next chunk of the same band.
    /// @return false after the last chunk
    bool advance(std::vector<std::uint64_t>& origin) const noexcept;
    /// Copies the part of a chunk that lies inside the array into `band`: the rows from origin[0] on, in C order.
    void copy(std::span<const std::byte> chunkData, const std::vector<std::uint64_t>& origin,
              std::span<std::byte> band) const;
};

} // namespace assay

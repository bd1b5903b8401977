#include "engine/io/hdf5/chunks.h"

#include "engine/io/files/little_endian.h"
#include "engine/io/files/refusal.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace assay {
namespace {

constexpr std::uint64_t kTooMuch = std::numeric_limits<std::uint64_t>::max();

std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
    return b != 0 && a > kTooMuch / b ? kTooMuch : a * b;
}

[[noreturn]] void damaged(const std::string& where) {
    refuse(where, "packed values", "damaged ones");
}

std::vector<std::byte> inflated(const std::vector<std::byte>& packed, std::size_t most, const std::string& where) {
    std::vector<std::byte> bytes(most);
    uLongf size = most;
    const int result = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
    if (result == Z_MEM_ERROR)
        throw std::bad_alloc();
    if (result != Z_OK)
        damaged(where);
    bytes.resize(size);
    return bytes;
}

/// Undoes HDF5's shuffle filter, which stores all first bytes, then all second bytes, and so on. Remaining bytes of an
/// incomplete item stay at the end.
std::vector<std::byte> unshuffled(const std::vector<std::byte>& shuffled, std::size_t itemBytes) {
    std::vector<std::byte> bytes(shuffled);
    const std::size_t items = shuffled.size() / itemBytes;
    for (std::size_t b = 0; b < itemBytes; ++b)
        for (std::size_t i = 0; i < items; ++i)
            bytes[i * itemBytes + b] = shuffled[b * items + i];
    return bytes;
}

/// Fletcher checksum of big-endian 16-bit words, as defined by HDF5.
std::uint32_t checksum(std::span<const std::byte> bytes) {
    std::uint32_t first = 0, second = 0;
    const auto add = [&](std::uint32_t word) {
        first = (first + word) % 65535;
        second = (second + first) % 65535;
    };
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
        add(std::to_integer<std::uint32_t>(bytes[i]) << 8 | std::to_integer<std::uint32_t>(bytes[i + 1]));
    if (bytes.size() % 2 == 1)
        add(std::to_integer<std::uint32_t>(bytes.back()) << 8);
    return second << 16 | first;
}

std::vector<std::byte> checked(std::vector<std::byte> bytes, const std::string& where) {
    constexpr std::size_t length = 4;
    if (bytes.size() < length)
        damaged(where);
    const auto stored = static_cast<std::uint32_t>(littleEndian(std::span(bytes).last(length)));
    bytes.resize(bytes.size() - length);
    // The values 0 and 65535 are equivalent in this checksum, and the library stores either.
    const auto same = [](std::uint32_t a, std::uint32_t b) { return a % 65535 == b % 65535; };
    const std::uint32_t taken = checksum(bytes);
    if (!same(stored & 0xffff, taken & 0xffff) || !same(stored >> 16, taken >> 16))
        refuse(where, "values that fit their checksum", "others");
    return bytes;
}

} // namespace

std::vector<std::byte> unpackChunk(std::vector<std::byte> stored, const std::vector<ChunkFilter>& filters,
                                   std::uint32_t skipped, std::size_t bytes, const std::string& where) {
    constexpr std::size_t kChecksumBytes = 4;
    for (std::size_t f = filters.size(); f-- > 0;) {
        if ((skipped >> f & 1U) != 0)
            continue;
        if (filters[f].kind == ChunkFilter::Kind::Deflate)
            stored = inflated(stored, bytes + kChecksumBytes * filters.size(), where);
        else if (filters[f].kind == ChunkFilter::Kind::Checksum)
            stored = checked(std::move(stored), where);
        else if (filters[f].itemBytes > 1)
            stored = unshuffled(stored, filters[f].itemBytes);
    }
    if (stored.size() != bytes)
        damaged(where);
    return stored;
}

std::uint64_t ChunkGrid::chunkBytes() const noexcept {
    std::uint64_t bytes = itemBytes;
    for (const std::uint64_t length : chunk)
        bytes = product(bytes, length);
    return bytes;
}

std::uint64_t ChunkGrid::allChunkBytes() const noexcept {
    std::uint64_t bytes = chunkBytes();
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        bytes = product(bytes, shape[axis] / chunk[axis] + (shape[axis] % chunk[axis] != 0 ? 1 : 0));
    return bytes;
}

std::uint64_t ChunkGrid::bandRows(std::uint64_t firstRow) const noexcept {
    return std::min(chunk[0], shape[0] - firstRow);
}

std::uint64_t ChunkGrid::rowBytes() const noexcept {
    std::uint64_t bytes = itemBytes;
    for (std::size_t axis = 1; axis < shape.size(); ++axis)
        bytes = product(bytes, shape[axis]);
    return bytes;
}

bool ChunkGrid::advance(std::vector<std::uint64_t>& origin) const noexcept {
    for (std::size_t axis = shape.size(); axis-- > 1;) {
        if (shape[axis] - origin[axis] > chunk[axis]) {
            origin[axis] += chunk[axis];
            return true;
        }
        origin[axis] = 0;
    }
    return false;
}

void ChunkGrid::copy(std::span<const std::byte> chunkData, const std::vector<std::uint64_t>& origin,
                     std::span<std::byte> band) const {
    const std::size_t last = shape.size() - 1;
    std::vector<std::uint64_t> extent(shape.size());
    for (std::size_t axis = 0; axis <= last; ++axis)
        extent[axis] = std::min(chunk[axis], shape[axis] - origin[axis]);
    std::vector<std::uint64_t> at(shape.size(), 0); // index in the chunk; elements along the last axis are contiguous
    while (true) {
        std::uint64_t from = 0, to = 0;
        for (std::size_t axis = 0; axis <= last; ++axis) {
            from = from * chunk[axis] + at[axis];
            to = axis == 0 ? at[0] : to * shape[axis] + origin[axis] + at[axis];
        }
        std::memcpy(band.data() + to * itemBytes, chunkData.data() + from * itemBytes, extent[last] * itemBytes);
        std::size_t axis = last;
        while (axis > 0 && ++at[axis - 1] == extent[axis - 1])
            at[--axis] = 0;
        if (axis == 0)
            return;
    }
}

} // namespace assay

#pragma once

#include "engine/io/numpy/npy_header.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Builds NumPy files byte by byte, sound ones and broken ones, independently of the program's own writers.
namespace assay::test {

/// A .npy file with the header text given verbatim.
std::string rawNpy(const std::string& headerText, const std::string& payload, int majorVersion = 1);

/// A .npy file. @param shape as in Python, `(3, 4)`
std::string npyFile(const std::string& descr, const std::string& shape, const std::string& payload,
                    NpyHeader::Order order = NpyHeader::Order::C, int majorVersion = 1);

/// The bytes of numbers in either byte order.
template <typename T>
std::string bytesOf(const std::vector<T>& values, NpyType::ByteOrder order = NpyType::ByteOrder::Native) {
    std::string bytes;
    for (const T& value : values) {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        if (order == NpyType::ByteOrder::Swapped)
            std::reverse(raw, raw + sizeof(T));
        bytes.append(raw, sizeof(T));
    }
    return bytes;
}

/// An entry of a zip archive. What is set overrides what would be true.
struct ZipItem {
    std::string name;
    std::string data;
    enum class Packing { Stored, Deflated } packing = Packing::Stored;
    enum class Sizes { Plain, Zip64 } sizes = Sizes::Plain;
    std::optional<std::uint32_t> crc = {};
    std::optional<std::uint64_t> claimedSize = {};
    std::optional<std::uint64_t> claimedPackedSize = {};
    std::optional<std::uint16_t> method = {};
    std::uint16_t flags = 0; ///< 1: encrypted
};

/// A zip archive; deflated entries consist of stored blocks.
std::string zipFile(const std::vector<ZipItem>& items);

/// The bytes as the readers take them.
std::span<const std::byte> asBytes(const std::string& bytes);

} // namespace assay::test

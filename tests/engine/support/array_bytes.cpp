#include "tests/engine/support/array_bytes.h"

namespace assay::test {
namespace {

std::string littleEndian(std::uint64_t value, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i)
        text += static_cast<char>((value >> (8 * i)) & 0xFF);
    return text;
}

std::uint32_t crc32(const std::string& data) {
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const char c : data) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

std::string storedBlocks(const std::string& data) {
    constexpr std::size_t largest = 65535;
    std::string packed;
    std::size_t at = 0;
    do {
        const std::size_t count = std::min(largest, data.size() - at);
        packed += static_cast<char>(at + count == data.size() ? 1 : 0);
        packed += littleEndian(count, 2) + littleEndian(~count, 2) + data.substr(at, count);
        at += count;
    } while (at < data.size());
    return packed;
}

struct Fields {
    std::string common; ///< from "version needed" to the length of the name
    std::string extra;
};

Fields fieldsOf(const ZipItem& item, std::uint64_t packedSize, std::optional<std::uint64_t> offset) {
    const std::uint64_t size = item.claimedSize.value_or(item.data.size());
    const std::uint64_t packed = item.claimedPackedSize.value_or(packedSize);
    const bool wide = item.sizes == ZipItem::Sizes::Zip64;
    const std::uint16_t method = item.method.value_or(item.packing == ZipItem::Packing::Deflated ? 8 : 0);
    Fields fields;
    fields.common = littleEndian(wide ? 45 : 20, 2) + littleEndian(item.flags, 2) + littleEndian(method, 2) +
                    littleEndian(0, 2) + littleEndian(33, 2) + littleEndian(item.crc.value_or(crc32(item.data)), 4) +
                    littleEndian(wide ? 0xFFFFFFFFu : packed, 4) + littleEndian(wide ? 0xFFFFFFFFu : size, 4) +
                    littleEndian(item.name.size(), 2);
    if (wide) {
        const std::string values =
            littleEndian(size, 8) + littleEndian(packed, 8) + (offset ? littleEndian(*offset, 8) : "");
        fields.extra = littleEndian(1, 2) + littleEndian(values.size(), 2) + values;
    }
    return fields;
}

} // namespace

std::string rawNpy(const std::string& headerText, const std::string& payload, int majorVersion) {
    std::string bytes(npyMagic);
    bytes += static_cast<char>(majorVersion);
    bytes += '\0';
    return bytes + littleEndian(headerText.size(), majorVersion == 1 ? 2 : 4) + headerText + payload;
}

std::string npyFile(const std::string& descr, const std::string& shape, const std::string& payload,
                    NpyHeader::Order order, int majorVersion) {
    return rawNpy("{'descr': '" + descr + "', 'fortran_order': " +
                      (order == NpyHeader::Order::Fortran ? "True" : "False") + ", 'shape': " + shape + ", }   \n",
                  payload, majorVersion);
}

std::string zipFile(const std::vector<ZipItem>& items) {
    std::string archive;
    std::string directory;
    bool wide = false;
    for (const ZipItem& item : items) {
        wide = wide || item.sizes == ZipItem::Sizes::Zip64;
        const std::string packed = item.packing == ZipItem::Packing::Deflated ? storedBlocks(item.data) : item.data;
        const std::uint64_t offset = archive.size();
        const Fields local = fieldsOf(item, packed.size(), std::nullopt);
        archive += "PK\x03\x04" + local.common + littleEndian(local.extra.size(), 2) + item.name + local.extra + packed;
        const Fields central = fieldsOf(item, packed.size(), offset);
        const bool wideOffset = item.sizes == ZipItem::Sizes::Zip64;
        directory += "PK\x01\x02" + littleEndian(45, 2) + central.common + littleEndian(central.extra.size(), 2) +
                     littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(0, 4) +
                     littleEndian(wideOffset ? 0xFFFFFFFFu : offset, 4) + item.name + central.extra;
    }
    const std::uint64_t begin = archive.size();
    archive += directory;
    if (wide) {
        const std::uint64_t end = archive.size();
        archive += "PK\x06\x06" + littleEndian(44, 8) + littleEndian(45, 2) + littleEndian(45, 2) + littleEndian(0, 8) +
                   littleEndian(items.size(), 8) + littleEndian(items.size(), 8) + littleEndian(directory.size(), 8) +
                   littleEndian(begin, 8) + "PK\x06\x07" + littleEndian(0, 4) + littleEndian(end, 8) +
                   littleEndian(1, 4);
    }
    return archive + "PK\x05\x06" + littleEndian(0, 4) + littleEndian(wide ? 0xFFFF : items.size(), 2) +
           littleEndian(wide ? 0xFFFF : items.size(), 2) + littleEndian(wide ? 0xFFFFFFFFu : directory.size(), 4) +
           littleEndian(wide ? 0xFFFFFFFFu : begin, 4) + littleEndian(0, 2);
}

std::span<const std::byte> asBytes(const std::string& bytes) {
    return std::as_bytes(std::span(bytes));
}

} // namespace assay::test

#include "engine/io/archives/zip_layout.h"

#include "engine/io/files/little_endian.h"

#include <string_view>

namespace assay {
namespace {

using Bytes = std::span<const std::byte>;
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

/// A little-endian number of `count` bytes.
/// @return kNowhere when it lies beyond the archive
std::uint64_t number(Bytes archive, std::uint64_t at, unsigned count) {
    if (at > archive.size() || archive.size() - at < count)
        return kNowhere;
    return littleEndian(archive.subspan(at, count));
}

bool isRecord(Bytes archive, std::uint64_t at, std::string_view kind) {
    return number(archive, at, 4) ==
           ('P' | 'K' << 8 | static_cast<unsigned>(kind[0]) << 16 | static_cast<unsigned>(kind[1]) << 24);
}

/// Offset of the archive's directory.
/// @return kNowhere when there is none, or when bytes follow the archive
std::uint64_t directoryBegin(Bytes archive) {
    constexpr std::uint64_t endBytes = 22;
    constexpr std::uint64_t longestComment = 0xFFFF;
    for (std::uint64_t comment = 0; comment <= longestComment && endBytes + comment <= archive.size(); ++comment) {
        const std::uint64_t end = archive.size() - endBytes - comment;
        if (!isRecord(archive, end, "\5\6") || number(archive, end + 20, 2) != comment)
            continue;
        const std::uint64_t begin = number(archive, end + 16, 4);
        if (begin != 0xFFFFFFFF)
            return begin;
        const std::uint64_t locator = end - 20; // wraps around to an invalid offset when the archive is too short
        const std::uint64_t wideEnd = isRecord(archive, locator, "\6\7") ? number(archive, locator + 8, 8) : kNowhere;
        return isRecord(archive, wideEnd, "\6\6") ? number(archive, wideEnd + 48, 8) : kNowhere;
    }
    return kNowhere;
}

/// Sizes and position of an entry. Values beyond 32 bits are in the zip64 extra field, in this order.
struct Place {
    std::uint64_t bytes, packedBytes, header;
};

Place placeOf(Bytes archive, std::uint64_t record) {
    Place place{number(archive, record + 24, 4), number(archive, record + 20, 4), number(archive, record + 42, 4)};
    std::uint64_t at = record + 46 + number(archive, record + 28, 2);
    const std::uint64_t end = at + number(archive, record + 30, 2);
    while (at < end && number(archive, at, 2) != 1)
        at += 4 + number(archive, at + 2, 2);
    at += 4;
    for (std::uint64_t* field : {&place.bytes, &place.packedBytes, &place.header}) {
        if (*field != 0xFFFFFFFF)
            continue;
        *field = at < end ? number(archive, at, 8) : kNowhere;
        at += 8;
    }
    return place;
}

} // namespace

std::optional<Bytes> storedEntry(Bytes archive, std::uint64_t index) {
    std::uint64_t record = directoryBegin(archive);
    for (std::uint64_t i = 0; i < index && isRecord(archive, record, "\1\2"); ++i)
        record +=
            46 + number(archive, record + 28, 2) + number(archive, record + 30, 2) + number(archive, record + 32, 2);
    constexpr std::uint64_t stored = 0;
    constexpr std::uint64_t encrypted = 1;
    if (!isRecord(archive, record, "\1\2") || number(archive, record + 10, 2) != stored ||
        (number(archive, record + 8, 2) & encrypted) != 0)
        return std::nullopt;
    const Place place = placeOf(archive, record);
    if (place.bytes != place.packedBytes || !isRecord(archive, place.header, "\3\4"))
        return std::nullopt;
    const std::uint64_t begin =
        place.header + 30 + number(archive, place.header + 26, 2) + number(archive, place.header + 28, 2);
    if (begin > archive.size() || place.bytes > archive.size() - begin)
        return std::nullopt;
    return archive.subspan(begin, place.bytes);
}

} // namespace assay

#include "engine/io/files/text_encoding.h"

#include <algorithm>

namespace assay {
namespace {

// Number of continuation bytes after a leading byte; -1 for a byte that cannot lead.
int continuationBytes(unsigned char lead) {
    if (lead < 0x80)
        return 0;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 1;
    if ((lead & 0xF0) == 0xE0)
        return 2;
    return lead >= 0xF0 && lead <= 0xF4 ? 3 : -1;
}

constexpr bool isControl(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

constexpr bool isScalar(char32_t c) {
    return c <= 0x10FFFF && !(c >= 0xD800 && c <= 0xDFFF);
}

/// Length in bytes of the character at `i`; 0 where none begins there.
std::size_t characterAt(std::string_view bytes, std::size_t i) noexcept {
    constexpr char32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const int more = continuationBytes(lead);
    if (more < 0 || bytes.size() - i <= static_cast<std::size_t>(more))
        return 0;
    char32_t code = more == 0 ? lead : lead & (0x3Fu >> more);
    for (int n = 1; n <= more; ++n) {
        const auto next = static_cast<unsigned char>(bytes[i + static_cast<std::size_t>(n)]);
        if ((next & 0xC0) != 0x80)
            return 0;
        code = (code << 6) | (next & 0x3Fu);
    }
    return code < smallest[more] || !isScalar(code) ? 0 : static_cast<std::size_t>(more) + 1;
}

} // namespace

bool isUtf8(std::string_view bytes) noexcept {
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t length = characterAt(bytes, i);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

bool appendUtf8(std::string& text, char32_t codePoint) {
    if (!isScalar(codePoint))
        return false;
    const int more = codePoint < 0x80 ? 0 : codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3; // continuation bytes
    const unsigned mark = more == 0 ? 0 : 0xFFU << (7 - more);
    text.push_back(static_cast<char>(mark | codePoint >> 6 * more));
    for (int shift = 6 * (more - 1); shift >= 0; shift -= 6)
        text.push_back(static_cast<char>(0x80U | (codePoint >> shift & 0x3FU)));
    return true;
}

std::string utf8OrEscaped(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t length = characterAt(bytes, i);
        const auto byte = static_cast<unsigned char>(bytes[i]);
        if (length > 0)
            text += bytes.substr(i, length);
        else
            (text += "\\x") += {kDigits[byte >> 4U], kDigits[byte & 15U]};
        i += std::max<std::size_t>(length, 1);
    }
    return text;
}

std::string withoutControls(std::string_view bytes, LineEnds lineEnds) {
    std::string text;
    text.reserve(bytes.size());
    forEachCodePoint(utf8OrEscaped(bytes), [&](char32_t code, std::string_view character) {
        const bool isKept = lineEnds == LineEnds::Kept && (code == '\n' || code == '\t');
        text += isControl(code) && !isKept ? "?" : character;
    });
    return text;
}

} // namespace assay

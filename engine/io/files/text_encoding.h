#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace assay {

class ByteSource;
class InputFile;

/// Whether the bytes are well-formed UTF-8: no overlong forms, no surrogates, no code point beyond U+10FFFF.
bool isUtf8(std::string_view bytes) noexcept;

/// Calls take(code point, its bytes) for each character of well-formed UTF-8.
template <typename Take>
void forEachCodePoint(std::string_view text, const Take& take) {
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = lead < 0x80 ? 1 : static_cast<std::size_t>(std::countl_one(lead));
        char32_t code = length == 1 ? lead : lead & (0x7FU >> length);
        for (std::size_t i = 1; i < length; ++i)
            code = (code << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
        take(code, text.substr(at, length));
        at += length;
    }
}

/// Number of code points of UTF-8.
inline std::size_t codePoints(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Whether a terminal would obey the character: a control character (C0, DEL, C1), or one that changes the direction of
/// text (U+202A to U+202E, U+2066 to U+2069).
constexpr bool isControl(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/// Appends one code point as UTF-8. @return false, appending nothing, when it is a surrogate or beyond U+10FFFF
bool appendUtf8(std::string& text, char32_t codePoint);

/// Bytes of unknown origin as text: those that are not part of UTF-8 become `\xff`. The one spelling of names of files,
/// ids, classes, categories and texts of arrays in all inputs and outputs, so that they can be found and joined by it.
std::string utf8OrEscaped(std::string_view bytes);

/// Whether withoutControls() leaves line feeds and tabs as they are.
enum class LineEnds { Kept, Replaced };

/// Text as utf8OrEscaped(), with `?` for each isControl().
std::string withoutControls(std::string_view bytes, LineEnds lineEnds = LineEnds::Replaced);

/// Opens a text file. UTF-16 arrives as UTF-8 without its byte order mark; unpaired surrogates become U+FFFD.
std::unique_ptr<ByteSource> openText(const InputFile& input);

/// The first bytes of a text file, as openText() delivers them.
std::string textHead(const InputFile& input);

/// Appends one field to a line of CSV. Quotes it as in RFC 4180 when it contains a comma, a quote or a line end. Puts
/// an apostrophe before text that a spreadsheet would run as a formula (text that starts with = + - @, tab or carriage
/// return and is not a number).
void appendCsvField(std::string& line, std::string_view text);

// Output of programs; characters that a terminal would obey are shown as `?` (withoutControls()).

/// Prints text of one or more lines to standard output at once.
/// @throws Error{WriteFailed} when it cannot be written
void printText(std::string_view text);

/// Prints `program: message` to standard error as one line.
void printMessage(std::string_view program, std::string_view message);

} // namespace assay

#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Whether the bytes are well-formed UTF-8: no overlong forms, no surrogates, no code point beyond U+10FFFF.
bool isUtf8(std::string_view bytes) noexcept;

/// Appends one code point as UTF-8.
/// @return false, without appending, when it is a surrogate or beyond U+10FFFF
bool appendUtf8(std::string& text, char32_t codePoint);

/// The bytes unchanged when they are UTF-8; otherwise decoded as Latin-1, so that every byte string becomes valid text.
std::string utf8OrLatin1(std::string_view bytes);

} // namespace assay

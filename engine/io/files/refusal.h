#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Throws Error{BadInput} saying `where: expected ..., found ...`.
[[noreturn]] void refuse(const std::string& where, const std::string& expected, const std::string& found);

/// `file: 'key'`, or just `file` when there is no key.
std::string placeOf(const std::string& file, const std::string& key);

/// Text from a file made fit for a message: valid UTF-8, no control characters, at most `limit` bytes.
std::string printable(std::string_view text, std::size_t limit = 80);

} // namespace assay

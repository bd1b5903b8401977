#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Throws Error{BadInput} with the message `where: expected ..., found ...`, without control characters.
[[noreturn]] void refuse(const std::string& where, const std::string& expected, const std::string& found);

/// `file: 'key'`, or only `file` when the key is empty.
std::string placeOf(const std::string& file, const std::string& key);

/// Refuses a key for a file whose arrays have no names.
/// @param kind what the file is: "a table, which has no keys" @throws Error{BadInput}
void requireNoKey(const std::string& file, const std::string& key, const std::string& kind);

/// Text from a file made fit for a message: as withoutControls(), at most `limit` bytes.
std::string printable(std::string_view text, std::size_t limit = 80);

} // namespace assay

#pragma once

#include <functional>
#include <limits>
#include <ranges>
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
/// The same in quotes: 'age'.
std::string inQuotes(std::string_view text, std::size_t limit = 80);

inline constexpr std::size_t kAllItems = std::numeric_limits<std::size_t>::max();

/// The texts of items, separated: "a, b". @param textOf member of an item, or a function of one
/// @param most items that are written; a longer list ends " and 3 more"
template <std::ranges::sized_range Range, typename TextOf = std::identity>
std::string joined(const Range& items, std::string_view separator, const TextOf& textOf = {},
                   std::size_t most = kAllItems) {
    std::string text;
    std::size_t written = 0;
    for (const auto& item : items) {
        if (written == most)
            return text + " and " + std::to_string(std::ranges::size(items) - most) + " more";
        text.append(written++ > 0 ? separator : "").append(std::invoke(textOf, item));
    }
    return text;
}

/// Texts from a file in quotes, as joined(): "'age', 'income'".
template <std::ranges::sized_range Range>
std::string joinedInQuotes(const Range& texts, std::size_t most = kAllItems) {
    return joined(
        texts, ", ", [](std::string_view text) { return inQuotes(text, 40); }, most);
}

} // namespace assay

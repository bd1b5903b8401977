#pragma once

#include <functional>
#include <limits>
#include <ranges>
#include <string>
#include <string_view>

namespace assay {

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

} // namespace assay

#pragma once

#include <algorithm>
#include <memory>
#include <ranges>

namespace assay {

/// The first element whose member has this value: `findBy(metricCatalog(), &Metric::id, "pce")`.
/// @param range outlives the result
/// @param member of an element, or a function of one
/// @return null where there is none
template <std::ranges::forward_range Range, typename Member, typename Value>
auto* findBy(Range&& range, Member member, const Value& value) {
    const auto at = std::ranges::find(range, value, member);
    return at == std::ranges::end(range) ? nullptr : std::addressof(*at);
}

} // namespace assay

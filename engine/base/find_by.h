#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <ranges>
#include <type_traits>
#include <vector>

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

/// One value of each element, in their order: `collected(audit.models, [](const auto& model) { return model->name; })`.
/// @param valueOf member of an element, or a function of one
template <std::ranges::input_range Range, typename ValueOf>
auto collected(const Range& range, const ValueOf& valueOf) {
    std::vector<std::decay_t<std::invoke_result_t<const ValueOf&, std::ranges::range_reference_t<const Range>>>> values;
    if constexpr (std::ranges::sized_range<const Range>)
        values.reserve(std::ranges::size(range));
    for (const auto& element : range)
        values.push_back(std::invoke(valueOf, element));
    return values;
}

} // namespace assay

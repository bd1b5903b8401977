#pragma once

#include "engine/math/statistics/quantile.h"
#include "engine/report/space/space_points.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace assay {

/// Range of the finite values of all lists without a share of them at either end; none where nothing is finite. Of a
/// long list 50,000 evenly spaced values count, which is precise enough for axes and colours.
/// @param valueOf value of an element of a list
template <class... Lists>
std::optional<AxisRange> innerRange(double tail, const auto& valueOf, const Lists&... lists) {
    constexpr std::size_t kEnough = 50'000;
    std::vector<double> finite;
    const auto take = [&](const auto& list) {
        for (std::size_t row = 0; row < list.size(); row += list.size() / kEnough + 1)
            if (const auto value = static_cast<double>(valueOf(list[row])); std::isfinite(value))
                finite.push_back(value);
    };
    (take(lists), ...);
    if (finite.empty())
        return std::nullopt;
    return AxisRange{quantile(std::span(finite), tail, QuantileRule::Nearest),
                     quantile(std::span(finite), 1.0 - tail, QuantileRule::Nearest)};
}

} // namespace assay

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// The value of this rank among some, 0 for the smallest. O(n).
/// @param values more than `rank`, without NaN; reordered, with none above the result before it and none below behind
template <typename Value>
Value orderStatistic(std::span<Value> values, std::size_t rank) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Linear interpolation from `low` (part 0) to `high` (part 1), as NumPy rounds it; beside an infinite value that
/// value.
template <typename Value>
double interpolated(Value low, Value high, double part) {
    if (part == 0.0 || low == high || std::isinf(low))
        return static_cast<double>(low);
    if (std::isinf(high))
        return static_cast<double>(high);
    const auto gap = static_cast<double>(high - low);
    return part < 0.5 ? static_cast<double>(low) + gap * part : static_cast<double>(high) - gap * (1.0 - part);
}

/// Rule for a quantile whose place, share * (n - 1), lies between two of the n sorted values: NumPy's methods "linear"
/// (its default; type 7 of Hyndman and Fan, 1996), "lower" and, but for ties, "nearest".
enum class QuantileRule { Linear, Lower, Nearest };

/// O(n).
/// @param values at least one, without NaN; reordered
/// @param share from 0 (the smallest value) to 1 (the largest)
template <typename Value>
double quantile(std::span<Value> values, double share, QuantileRule rule = QuantileRule::Linear) {
    const double place = share * static_cast<double>(values.size() - 1);
    if (rule == QuantileRule::Nearest)
        return static_cast<double>(orderStatistic(values, static_cast<std::size_t>(std::lround(place))));
    const auto below = static_cast<std::size_t>(place);
    const Value low = orderStatistic(values, below);
    const double part = place - static_cast<double>(below);
    if (rule == QuantileRule::Lower || part == 0.0)
        return static_cast<double>(low);
    return interpolated(low, *std::ranges::min_element(values.subspan(below + 1)), part);
}

/// The middle value, or the mean of the middle two. O(n).
/// @param values at least one, without NaN
inline double median(std::vector<double> values) {
    const std::size_t half = values.size() / 2;
    const double upper = orderStatistic(std::span(values), half);
    if (values.size() % 2 == 1)
        return upper;
    return (*std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half)) + upper) / 2.0;
}

} // namespace assay

#pragma once

#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"

#include <cstdint>
#include <type_traits>
#include <vector>

/// Functions of catalogue rows, made from members of the tables and products and from each other.
namespace assay {
namespace detail {

template <typename Class, typename Member>
Class classOf(Member Class::*);

template <typename T>
const T& productOf(const MetricInputs& in) {
    if constexpr (std::is_same_v<T, RealAnalysis>)
        return in.real;
    else if constexpr (std::is_same_v<T, PairTables>)
        return in.pair;
    else
        return in.get<T>();
}

template <auto First, auto... Rest>
const auto& memberAt(const MetricInputs& in) {
    return ((productOf<decltype(classOf(First))>(in).*First).*....*Rest);
}

} // namespace detail

/// Reads a member of the tables or of a product, without computing anything: `memberOf<&RowScores::top,
/// &TopScores::f1>`. Counts are converted to double.
/// @tparam First a member of the product @tparam Rest a member of that, and so on
template <auto First, auto... Rest>
auto memberOf(const MetricInputs& in) {
    const auto& value = detail::memberAt<First, Rest...>(in);
    if constexpr (std::is_same_v<decltype(value), const std::vector<std::uint32_t>&>)
        return metrics::asNumbers(value);
    else
        return std::remove_cvref_t<decltype(value)>(value);
}

/// Mean of a column, in the order of its rows: `meanOf<metrics::authentic>`.
template <ColumnFunction column>
double meanOf(const MetricInputs& in) {
    return metrics::meanOf(column(in));
}

/// Per count: 1 if it is above 0, else 0: `isAboveZero<&PairTables::synthetic, &SideResult::holding>`.
template <auto First, auto... Rest>
std::vector<double> isAboveZero(const MetricInputs& in) {
    return metrics::isAbove(detail::memberAt<First, Rest...>(in), 0);
}

/// Per count: 1 if it is above k, else 0.
template <auto First, auto... Rest>
std::vector<double> isAboveK(const MetricInputs& in) {
    return metrics::isAbove(detail::memberAt<First, Rest...>(in), in.k);
}

} // namespace assay

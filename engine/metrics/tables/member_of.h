#pragma once

#include "engine/metrics/tables/metric.h"

namespace assay {
namespace detail {
template <typename Class, typename Member>
Class classOf(Member Class::*);
} // namespace detail

/// What a row of the catalogue reads off a product of the stages, without computing anything:
/// `memberOf<&RowScores::top, &TopScores::f1>`.
/// @tparam First a member of the product @tparam Rest a member of that, and so on
template <auto First, auto... Rest>
auto memberOf(const MetricInputs& in) {
    return ((in.get<decltype(detail::classOf(First))>().*First).*....*Rest);
}

} // namespace assay

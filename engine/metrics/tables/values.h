#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Helpers that several metric families share.
namespace assay::metrics {

/// Arithmetic mean; NaN for no values.
double meanOf(std::span<const double> values);
/// Mean and standard deviation (divisor n) of values.
struct Moments {
    double mean = 0.0;
    double deviation = 0.0;
};
Moments momentsOf(std::span<const double> values);
/// Share of counts above `bound`, in [0, 1]; NaN for no counts.
double shareAbove(std::span<const std::uint32_t> counts, std::size_t bound);
/// Per count: 1 if it is above `bound`, else 0.
std::vector<double> isAbove(std::span<const std::uint32_t> counts, std::size_t bound);
/// The values with `change` applied to each.
template <typename Change>
std::vector<double> mapped(std::vector<double> values, const Change& change) {
    std::ranges::transform(values, values.begin(), change);
    return values;
}
/// Per value: 1 if it is not 0, else 0.
std::vector<double> isNotZero(std::vector<double> values);
/// The counts converted to double.
std::vector<double> asNumbers(std::span<const std::uint32_t> counts);

} // namespace assay::metrics

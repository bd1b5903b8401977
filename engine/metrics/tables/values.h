#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// What several families do with numbers.
namespace assay::metrics {

/// Arithmetic mean; NaN for no values.
double meanOf(std::span<const double> values);
/// Share of counts above `bound`.
double shareAbove(std::span<const std::uint32_t> counts, std::size_t bound);
/// Every count as a number.
std::vector<double> asNumbers(std::span<const std::uint32_t> counts);

} // namespace assay::metrics

#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace assay::metrics {

double meanOf(std::span<const double> values) {
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Moments momentsOf(std::span<const double> values) {
    const double mean = meanOf(values);
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return {mean, std::sqrt(squares / static_cast<double>(values.size()))};
}

double shareAbove(std::span<const std::uint32_t> counts, std::size_t bound) {
    const auto above = std::count_if(counts.begin(), counts.end(), [bound](std::uint32_t c) { return c > bound; });
    return static_cast<double>(above) / static_cast<double>(counts.size());
}

std::vector<double> isAbove(std::span<const std::uint32_t> counts, std::size_t bound) {
    std::vector<double> flags(counts.size());
    for (std::size_t i = 0; i < flags.size(); ++i)
        flags[i] = counts[i] > bound ? 1.0 : 0.0;
    return flags;
}

std::vector<double> isNotZero(std::vector<double> values) {
    return mapped(std::move(values), [](double value) { return value != 0.0 ? 1.0 : 0.0; });
}

std::vector<double> asNumbers(std::span<const std::uint32_t> counts) {
    return {counts.begin(), counts.end()};
}

} // namespace assay::metrics

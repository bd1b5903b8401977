#include "engine/math/statistics/histogram.h"

#include "engine/math/statistics/quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

/// One bin around each of first, first + step, .., `count` bins in total.
HistogramBins steps(double first, double step, std::size_t count) {
    HistogramBins bins;
    for (std::size_t b = 0; b <= count; ++b)
        bins.edges.push_back(first + step * (static_cast<double>(b) - 0.5));
    for (std::size_t b = 0; b < count; ++b)
        bins.values.push_back(first + step * static_cast<double>(b));
    return bins;
}

HistogramBins even(double low, double high, std::size_t count) {
    HistogramBins bins;
    for (std::size_t b = 0; b <= count; ++b)
        bins.edges.push_back(low + (high - low) * static_cast<double>(b) / static_cast<double>(count));
    bins.edges.back() = high; // rounding must not leave the largest value outside
    return bins;
}

bool areMultiples(std::span<const double> values, std::size_t k) {
    return std::all_of(values.begin(), values.end(), [k](double v) {
        const double scaled = v * static_cast<double>(k);
        if (!std::isfinite(v))
            return true;
        const double below = std::trunc(scaled); // inlined, where std::round is a call
        return scaled >= -1e-9 && scaled <= static_cast<double>(k) + 1e-9 &&
               (scaled - below < 1e-9 || below + 1.0 - scaled < 1e-9);
    });
}

/// Bins of equal width by the rule of Freedman and Diaconis.
/// @param numbers evenly spaced sample of `count` values that lie in [from, to]
HistogramBins freedmanDiaconis(std::vector<double> numbers, double from, double to, std::size_t count,
                               std::size_t most) {
    if (from == to)
        return steps(from, 1.0, 1);
    const double spread = quantile(std::span(numbers), 0.75, QuantileRule::Lower) -
                          quantile(std::span(numbers), 0.25, QuantileRule::Lower);
    const double width = 2.0 * spread / std::cbrt(static_cast<double>(count));
    const double wanted = width > 0.0 ? std::ceil((to - from) / width) : static_cast<double>(most);
    const std::size_t least = std::min<std::size_t>(8, most);
    return even(from, to,
                static_cast<std::size_t>(std::clamp(wanted, static_cast<double>(least), static_cast<double>(most))));
}

} // namespace

std::optional<std::size_t> HistogramBins::binOf(double value) const noexcept {
    if (count() == 0 || std::isnan(value) || value < edges.front() || value > edges.back())
        return std::nullopt;
    // Bins are even but for rounding: a million values find theirs at once.
    const double share = logarithmic ? std::log(value / edges.front()) / std::log(edges.back() / edges.front())
                                     : (value - edges.front()) / (edges.back() - edges.front());
    std::size_t bin =
        std::min(static_cast<std::size_t>(static_cast<int>(share * static_cast<double>(count()))), count() - 1);
    while (bin > 0 && value < edges[bin])
        --bin;
    while (bin + 1 < count() && value >= edges[bin + 1])
        ++bin;
    return bin;
}

HistogramBins chooseBins(std::span<const double> values, Unit unit, std::size_t k, std::size_t most) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double low = kInfinity;
    double high = -kInfinity;
    std::size_t finite = 0;
    for (const double value : values) {
        finite += std::abs(value) < kInfinity ? 1 : 0;
        if (value < low && value > -kInfinity) // seldom true: quick for a million
            low = value;
        if (value > high && value < kInfinity)
            high = value;
    }
    if (low > high)
        return {};
    if (unit == Unit::YesNo)
        return steps(0.0, 1.0, 2);
    if (unit == Unit::Share)
        return k > 0 && k < most && areMultiples(values, k) ? steps(0.0, 1.0 / static_cast<double>(k), k + 1)
                                                            : even(0.0, 1.0, 20);
    if (unit == Unit::Word)
        return steps(0.0, 1.0, std::max<std::size_t>(2, static_cast<std::size_t>(high) + 1));
    if (unit == Unit::Count && high - low < static_cast<double>(most))
        return steps(low, 1.0, static_cast<std::size_t>(high - low) + 1);
    // Enough of a million for their quartiles.
    constexpr std::size_t kEnough = 50'000;
    std::vector<double> numbers;
    for (std::size_t at = 0; at < values.size(); at += finite / kEnough + 1)
        if (std::isfinite(values[at]))
            numbers.push_back(values[at]);
    if (numbers.empty())
        numbers = {low, high};
    return freedmanDiaconis(std::move(numbers), low, high, finite, most);
}

HistogramBins chooseLogarithmicBins(std::span<const double> values, std::size_t most) {
    std::vector<double> logs;
    logs.reserve(values.size());
    for (const double value : values) {
        if (value <= 0.0)
            return {};
        logs.push_back(std::log(value)); // of NaN and infinity themselves
    }
    HistogramBins bins = chooseBins(logs, Unit::Distance, 0, most);
    if (bins.count() < 2) // all the same: there is no ratio
        return {};
    std::ranges::transform(bins.edges, bins.edges.begin(), [](double edge) { return std::exp(edge); });
    // exp(log(x)) is not quite x, and no value may be left outside.
    for (const double value : values) {
        if (!std::isfinite(value))
            continue;
        bins.edges.front() = std::min(bins.edges.front(), value);
        bins.edges.back() = std::max(bins.edges.back(), value);
    }
    bins.logarithmic = true;
    return bins;
}

std::vector<std::uint8_t> binOfEach(const HistogramBins& bins, std::span<const double> values) {
    std::vector<std::uint8_t> each(values.size());
    std::ranges::transform(values, each.begin(), [&bins](double value) {
        return static_cast<std::uint8_t>(bins.binOf(value).value_or(kNoBin));
    });
    return each;
}

std::vector<std::size_t> countPerBin(const HistogramBins& bins, std::span<const double> values) {
    std::vector<std::size_t> counts(bins.count(), 0);
    for (double value : values)
        if (const auto bin = bins.binOf(value))
            ++counts[*bin];
    return counts;
}

} // namespace assay

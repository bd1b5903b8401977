#include "engine/math/statistics/correlation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace assay {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMinPairs = 5; ///< of an interval
constexpr double kNormal95 = 1.959963984540054;

/// @param variance of the transformed coefficient
Correlation withInterval(double value, std::size_t pairs, double variance) {
    Correlation found{value};
    if (pairs < kMinPairs || std::isnan(value))
        return found;
    const double halfWidth = kNormal95 * std::sqrt(variance);
    const double center = std::atanh(value); // infinite at -1 and 1, where both ends are the value
    found.interval = Bounds{std::tanh(center - halfWidth), std::tanh(center + halfWidth)};
    return found;
}

double linear(std::span<const double> x, std::span<const double> y) {
    const auto n = static_cast<double>(x.size());
    if (x.size() < 2)
        return kNan;
    const double meanX = std::accumulate(x.begin(), x.end(), 0.0) / n;
    const double meanY = std::accumulate(y.begin(), y.end(), 0.0) / n;
    double xx = 0.0;
    double yy = 0.0;
    double xy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - meanX) * (x[i] - meanX);
        yy += (y[i] - meanY) * (y[i] - meanY);
        xy += (x[i] - meanX) * (y[i] - meanY);
    }
    if (xx <= 0.0 || yy <= 0.0)
        return kNan;
    return std::clamp(xy / std::sqrt(xx) / std::sqrt(yy), -1.0, 1.0);
}

/// Ranks from 1, equal values with their mean rank.
std::vector<double> meanRanks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t at) { return values[at]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;
        while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]])
            ++last;
        for (std::size_t at = first; at <= last; ++at)
            ranks[order[at]] = 1.0 + 0.5 * static_cast<double>(first + last);
        first = last + 1;
    }
    return ranks;
}

} // namespace

Correlation pearson(std::span<const double> x, std::span<const double> y) {
    return withInterval(linear(x, y), x.size(), 1.0 / (static_cast<double>(x.size()) - 3.0));
}

Correlation spearman(std::span<const double> x, std::span<const double> y) {
    return withInterval(linear(meanRanks(x), meanRanks(y)), x.size(), 1.06 / (static_cast<double>(x.size()) - 3.0));
}

Correlation kendall(std::span<const double> x, std::span<const double> y) {
    double balance = 0.0; // concordant pairs less discordant ones
    double differentX = 0.0;
    double differentY = 0.0;
    const auto sign = [](double a, double b) { return a < b ? -1.0 : a > b ? 1.0 : 0.0; };
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double signX = sign(x[i], x[j]);
            const double signY = sign(y[i], y[j]);
            balance += signX * signY;
            differentX += std::abs(signX);
            differentY += std::abs(signY);
        }
    const double value = differentX > 0.0 && differentY > 0.0
                             ? std::clamp(balance / std::sqrt(differentX) / std::sqrt(differentY), -1.0, 1.0)
                             : kNan;
    return withInterval(value, x.size(), 0.437 / (static_cast<double>(x.size()) - 4.0));
}

} // namespace assay

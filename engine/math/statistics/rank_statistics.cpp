#include "engine/math/statistics/rank_statistics.h"

#include "engine/math/statistics/nan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay {

std::vector<double> placements(std::span<const double> scores, std::span<const std::uint8_t> isPositive) {
    std::vector<std::uint32_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return scores[a] < scores[b]; });
    std::array<std::size_t, 2> all{};
    for (const std::uint8_t positive : isPositive)
        ++all[positive];
    std::vector<double> shares(scores.size(), kNaN);
    if (all[0] == 0 || all[1] == 0)
        return shares;
    std::array<std::size_t, 2> below{}; // of each kind, under the scores of this group
    for (std::size_t first = 0; first < order.size();) {
        std::array<std::size_t, 2> equal{};
        std::size_t last = first;
        for (; last < order.size() && scores[order[last]] == scores[order[first]]; ++last)
            ++equal[isPositive[order[last]]];
        const auto half = [&](std::size_t kind) {
            return static_cast<double>(below[kind]) + 0.5 * static_cast<double>(equal[kind]);
        };
        const double ofPositive = half(0) / static_cast<double>(all[0]);
        const double ofNegative = 1.0 - half(1) / static_cast<double>(all[1]);
        for (; first < last; ++first)
            shares[order[first]] = isPositive[order[first]] != 0 ? ofPositive : ofNegative;
        below[0] += equal[0];
        below[1] += equal[1];
    }
    return shares;
}

RocArea rocArea(std::span<const double> scores, std::span<const std::uint8_t> isPositive) {
    const std::vector<double> shares = placements(scores, isPositive);
    std::array<double, 2> count{};
    std::array<double, 2> mean{};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        ++count[isPositive[i]];
        mean[isPositive[i]] += shares[i];
    }
    if (count[0] == 0.0 || count[1] == 0.0)
        return {};
    std::array<double, 2> squares{};
    for (const std::size_t kind : {0U, 1U})
        mean[kind] /= count[kind];
    for (std::size_t i = 0; i < shares.size(); ++i)
        squares[isPositive[i]] += (shares[i] - mean[isPositive[i]]) * (shares[i] - mean[isPositive[i]]);
    RocArea result{.area = mean[1], .variance = 0.0};
    for (const std::size_t kind : {0U, 1U})
        if (count[kind] > 1.0)
            result.variance += squares[kind] / (count[kind] - 1.0) / count[kind];
    return result;
}

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

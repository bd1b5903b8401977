#include "engine/math/statistics/ranking.h"

#include "engine/math/statistics/nan.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace assay {
namespace {

struct Moments {
    double mean;
    double variance; ///< with divisor n - 1
};

Moments momentsOf(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    const double mean = std::reduce(values.begin(), values.end()) / count;
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return {mean, squares / (count - 1.0)};
}

} // namespace

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

RankedArea areaUnderCurve(std::span<const double> low, std::span<const double> high) {
    std::vector<double> scores(low.begin(), low.end());
    scores.insert(scores.end(), high.begin(), high.end());
    std::vector<std::uint8_t> isHigh(scores.size(), 0);
    std::fill(isHigh.begin() + static_cast<std::ptrdiff_t>(low.size()), isHigh.end(), std::uint8_t{1});
    const std::vector<double> shares = placements(scores, isHigh);
    const Moments ofLow = momentsOf(std::span(shares).first(low.size()));
    const Moments ofHigh = momentsOf(std::span(shares).last(high.size()));
    return {ofHigh.mean,
            ofLow.variance / static_cast<double>(low.size()) + ofHigh.variance / static_cast<double>(high.size())};
}

} // namespace assay

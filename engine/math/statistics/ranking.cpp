#include "engine/math/statistics/ranking.h"

#include "engine/math/statistics/nan.h"

#include <algorithm>
#include <array>
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

} // namespace assay

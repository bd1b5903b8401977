#include "engine/metrics/verdicts/beyond_all.h"

#include "engine/math/statistics/binomial.h"
#include "engine/math/statistics/exact_tests.h"

#include <algorithm>
#include <array>
#include <vector>

namespace assay {

std::optional<BeyondAll> testBeyondAll(Beyond what, std::span<const double> values, std::span<const double> real) {
    constexpr std::array<std::size_t, 3> kRanks{1, 5, 20};
    constexpr double kRare = 0.001 / 3.0;
    constexpr std::size_t kFewestForCopies = 60; // of few real samples a cluster may have just one
    constexpr double kMarks = 0.05;
    std::vector<double> sorted(real.begin(), real.end());
    std::ranges::sort(sorted);
    std::optional<BeyondAll> best;
    for (const std::size_t rank : kRanks) {
        if (rank > sorted.size() / 4 || (what == Beyond::CloserToOne && sorted.size() < kFewestForCopies))
            continue;
        const double limit = sorted[sorted.size() - rank];
        BeyondAll found{.what = what, .rank = rank, .ofSamples = values.size(), .ofReal = sorted.size()};
        const auto isBeyond = [limit](double value) { return value >= limit; };
        found.samples = static_cast<std::size_t>(std::ranges::count_if(values, isBeyond));
        found.real = static_cast<std::size_t>(std::ranges::count_if(sorted, isBeyond));
        if (found.real > rank || std::ranges::count(values, limit) > 0)
            found.real = std::min(found.real + 1, found.ofReal);
        found.excess = static_cast<double>(found.samples) / static_cast<double>(found.ofSamples) -
                       static_cast<double>(found.real) / static_cast<double>(found.ofReal);
        if (found.samples == 0 || (best && found.excess <= best->excess) ||
            exceedanceProbability(found.samples, found.ofSamples, found.real, found.ofReal) > kRare)
            continue;
        found.isSure =
            clopperPearson(found.samples, found.ofSamples).low - clopperPearson(found.real, found.ofReal).high >=
            kMarks;
        best = found;
    }
    return best;
}

} // namespace assay

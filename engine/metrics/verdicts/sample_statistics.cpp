#include "engine/metrics/verdicts/sample_statistics.h"

#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/significance_tests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay {

double distanceRatio(double distance, double reference) noexcept {
    if (reference > 0.0)
        return distance / reference;
    return distance > 0.0 ? std::numeric_limits<double>::infinity() : 0.0;
}

std::vector<double> copyRatios(const NeighborTable& toReal, const NeighborTable& real) {
    std::vector<double> ratios(toReal.rows());
    for (std::size_t j = 0; j < ratios.size(); ++j)
        ratios[j] = distanceRatio(toReal.distanceAt(j, 0), real.distanceAt(toReal.indexAt(j, 0), 0));
    return ratios;
}

std::vector<double> copyRatiosWithin(const NeighborTable& real) {
    std::vector<double> ratios(real.rows(), kNaN);
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        const std::uint32_t nearest = real.indexAt(i, 0);
        const std::size_t rank = real.indexAt(nearest, 0) == i ? 1 : 0;
        if (rank < real.k)
            ratios[i] = distanceRatio(real.distanceAt(i, 0), real.distanceAt(nearest, rank));
    }
    return ratios;
}

std::vector<double> copyRatiosOutside(const NeighborTable& real, std::span<const std::uint32_t> unit) {
    std::vector<double> ratios(real.rows());
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        std::size_t rank = 0;
        while (rank + 1 < real.k && unit[real.indexAt(i, rank)] == unit[i])
            ++rank;
        ratios[i] = distanceRatio(real.distanceAt(i, rank), real.distanceAt(real.indexAt(i, rank), 0));
    }
    return ratios;
}

namespace {

double logShareEqual(const SeenSet& set, std::size_t sample) {
    return std::log(static_cast<double>(set.equal[sample]) / static_cast<double>(set.rows));
}

} // namespace

std::vector<double> logDensityRatios(const SeenSet& sparse, const SeenSet& dense, std::size_t dim) {
    std::vector<double> ratios(sparse.distance.size());
    for (std::size_t i = 0; i < ratios.size(); ++i)
        ratios[i] = dense.distance[i] == 0.0 && sparse.distance[i] == 0.0
                        ? logShareEqual(dense, i) - logShareEqual(sparse, i)
                        : static_cast<double>(dim) * (std::log(sparse.distance[i]) - std::log(dense.distance[i]));
    return ratios;
}

namespace {

constexpr double kBody = 0.9;   ///< quantile up to which ranks count
constexpr double kBeyond = 0.1; ///< share of values beyond it
constexpr std::size_t kFewestBeyond = 5;

/// The calibration values beyond the body: where they begin, and how far beyond it they are on average.
struct TailFit {
    double begin = 0.0;
    double meanExcess = 0.0; ///< 0: too few values exceed the quantile
};

TailFit fitOf(std::span<const double> ascending) {
    TailFit fit{ascending[static_cast<std::size_t>(kBody * static_cast<double>(ascending.size()))], 0.0};
    const auto first = std::upper_bound(ascending.begin(), ascending.end(), fit.begin);
    const auto beyond = static_cast<std::size_t>(ascending.end() - first);
    if (beyond < kFewestBeyond)
        return fit;
    for (auto value = first; value != ascending.end(); ++value)
        fit.meanExcess += (*value - fit.begin) / static_cast<double>(beyond);
    return fit;
}

} // namespace

std::vector<double> tailScores(std::span<const double> values, std::vector<double> calibration) {
    std::ranges::sort(calibration);
    const auto n = static_cast<double>(calibration.size());
    const TailFit fit = fitOf(calibration);
    std::vector<double> scores(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto below = std::lower_bound(calibration.begin(), calibration.end(), values[i]) - calibration.begin();
        const double rank = (1.0 + n - static_cast<double>(below)) / (1.0 + n);
        if (fit.meanExcess <= 0.0)
            scores[i] = -std::log(std::max(rank, 0.5 / n));
        else
            scores[i] = values[i] > fit.begin ? -std::log(kBeyond) + (values[i] - fit.begin) / fit.meanExcess
                                              : -std::log(std::max(rank, kBeyond));
    }
    return scores;
}

std::vector<double> tailScoresLeftOut(std::span<const double> calibration) {
    const std::size_t n = calibration.size();
    const auto count = static_cast<double>(n);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return calibration[i]; });
    std::vector<double> sorted(n);
    std::ranges::transform(order, sorted.begin(), [&](std::size_t i) { return calibration[i]; });
    std::vector<double> scores(n);
    if (fitOf(sorted).meanExcess <= 0.0 || n < 2) {
        for (std::size_t rank = 0; rank < n; ++rank) {
            const auto below = std::lower_bound(sorted.begin(), sorted.end(), sorted[rank]) - sorted.begin();
            scores[order[rank]] = -std::log(std::max((count - static_cast<double>(below)) / count, 0.5 / count));
        }
        return scores;
    }
    // Without one value, the quantile is the next value or this one, and the excess of the others changes by a term.
    const auto begin = static_cast<std::size_t>(kBody * (count - 1.0));
    const double sum = std::accumulate(sorted.begin() + static_cast<std::ptrdiff_t>(begin), sorted.end(), 0.0);
    for (std::size_t rank = 0; rank < n; ++rank) {
        const double value = rank <= begin && begin + 1 < n ? sorted[begin + 1] : sorted[begin];
        const double beyond = count - 1.0 - static_cast<double>(begin) - 1.0;
        const double others = sum - sorted[begin] - (rank > begin ? sorted[rank] : value);
        const double mean = std::max((others - beyond * value) / std::max(beyond, 1.0), 1e-12);
        // Of equal values each has the rank of the first one, whatever their order.
        const auto below = std::lower_bound(sorted.begin(), sorted.end(), sorted[rank]) - sorted.begin();
        scores[order[rank]] = sorted[rank] > value
                                  ? -std::log(kBeyond) + (sorted[rank] - value) / mean
                                  : -std::log(std::max((count - static_cast<double>(below)) / count, kBeyond));
    }
    return scores;
}

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

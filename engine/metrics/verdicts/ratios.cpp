#include "engine/metrics/verdicts/ratios.h"

#include "engine/math/statistics/nan.h"

#include <cmath>
#include <limits>

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

} // namespace assay

#include "engine/metrics/verdicts/density_ratio.h"

#include "engine/math/statistics/binomial.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/verdicts/copy_ratio.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

double logShareEqual(const SeenSet& set, std::size_t sample) {
    return std::log(static_cast<double>(set.equal[sample]) / static_cast<double>(set.rows));
}

} // namespace

std::vector<double> logDensityRatios(const SeenSet& sparse, const SeenSet& dense, std::size_t dim) {
    std::vector<double> ratios(sparse.distance.size());
    for (std::size_t i = 0; i < ratios.size(); ++i)
        ratios[i] = dense.distance[i] == 0.0
                        ? logShareEqual(dense, i) - logShareEqual(sparse, i)
                        : static_cast<double>(dim) * std::log(distanceRatio(sparse.distance[i], dense.distance[i]));
    return ratios;
}

std::vector<double> equalRowPValues(const SeenSet& sparse, const SeenSet& dense, std::size_t neighbors) {
    const double chance = static_cast<double>(dense.rows) / static_cast<double>(dense.rows + sparse.rows);
    const double most = static_cast<double>(neighbors) / std::min(chance, 1.0 - chance);
    std::vector<double> p(dense.distance.size(), kNaN);
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (dense.distance[i] > 0.0)
            continue;
        const double equal = static_cast<double>(dense.equal[i]) + static_cast<double>(sparse.equal[i]);
        const double scale = std::min(1.0, most / equal);
        p[i] = atLeastSuccesses(scale * static_cast<double>(dense.equal[i]), scale * equal, chance);
    }
    return p;
}

} // namespace assay

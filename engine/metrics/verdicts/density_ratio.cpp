#include "engine/metrics/verdicts/density_ratio.h"

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
        ratios[i] = dense.distance[i] == 0.0 && sparse.distance[i] == 0.0
                        ? logShareEqual(dense, i) - logShareEqual(sparse, i)
                        : static_cast<double>(dim) * (std::log(sparse.distance[i]) - std::log(dense.distance[i]));
    return ratios;
}

} // namespace assay

#include "engine/metrics/entropy/intrinsic_dimension.h"

#include "engine/math/statistics/nan.h"
#include "engine/metrics/tables/pass_tables.h"

#include <cmath>

namespace assay::metrics {

double likelihoodDimension(const NeighborTable& neighbors, std::size_t k) {
    double sum = 0.0;
    std::size_t terms = 0;
    for (std::size_t row = 0; k >= 2 && row < neighbors.rows(); ++row) {
        const double farthest = neighbors.distanceAt(row, k - 1);
        for (std::size_t rank = 0; rank + 1 < k; ++rank)
            if (const double distance = neighbors.distanceAt(row, rank); distance > 0.0) {
                sum += std::log(farthest / distance);
                ++terms;
            }
    }
    return sum > 0.0 ? static_cast<double>(terms) / sum : kNaN;
}

double intrinsicDimension(const MetricInputs& in) {
    return likelihoodDimension(in.pair.syntheticToSynthetic, in.k);
}
double intrinsicDimensionReal(const MetricInputs& in) {
    return likelihoodDimension(in.real.neighbors, in.k);
}
double twoNearestDimension(const MetricInputs& in) {
    return in.k < 2 ? kNaN : likelihoodDimension(in.pair.syntheticToSynthetic, 2); // a subset has k neighbours, no more
}
double twoNearestDimensionReal(const MetricInputs& in) {
    return in.k < 2 ? kNaN : likelihoodDimension(in.real.neighbors, 2);
}

} // namespace assay::metrics

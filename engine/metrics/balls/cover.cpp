#include "engine/metrics/balls/cover.h"

#include "engine/math/statistics/nan.h"
#include "engine/metrics/tables/pass_tables.h"

namespace assay::metrics {

std::vector<double> coverFlags(const NeighborTable& toOther, const NeighborTable& own, std::size_t k,
                               std::size_t ownRank) {
    std::vector<double> flags(toOther.rows(), kNaN);
    if (toOther.k < k || own.k < ownRank)
        return flags;
    for (std::size_t row = 0; row < flags.size(); ++row) {
        const double within = ownRank == 0 ? 0.0 : own.distanceAt(row, ownRank - 1);
        flags[row] = toOther.distanceAt(row, k - 1) <= within ? 1.0 : 0.0;
    }
    return flags;
}

std::vector<double> precisionCovered(const MetricInputs& in) {
    return coverFlags(in.pair.synthetic.nearest, in.pair.syntheticToSynthetic, in.cover.k, in.cover.neighbors());
}

std::vector<double> recallCovered(const MetricInputs& in) {
    return coverFlags(in.pair.real.nearest, in.real.neighbors, in.cover.k, in.cover.neighbors());
}

} // namespace assay::metrics

#include "engine/metrics/balls/authenticity.h"

#include "engine/metrics/tables/pass_tables.h"

namespace assay::metrics {

std::vector<double> nearestReal(const MetricInputs& in) {
    const NeighborTable& table = in.pair.syntheticToReal;
    std::vector<double> rows(table.rows());
    for (std::size_t j = 0; j < rows.size(); ++j)
        rows[j] = static_cast<double>(table.indexAt(j, 0));
    return rows;
}

std::vector<double> nearestRealDistance(const MetricInputs& in) {
    return in.pair.syntheticToReal.distancesAt(1);
}
std::vector<double> nearestSyntheticDistance(const MetricInputs& in) {
    return in.pair.realToSynthetic.distancesAt(1);
}

std::vector<double> authentic(const MetricInputs& in) {
    const NeighborTable& toReal = in.pair.syntheticToReal;
    std::vector<double> flags(toReal.rows());
    for (std::size_t j = 0; j < flags.size(); ++j) {
        // A tie is unauthentic: an exact copy of a duplicated training sample must not pass.
        const double ownNearest = in.real.neighbors.distanceAt(toReal.indexAt(j, 0), 0);
        flags[j] = toReal.distanceAt(j, 0) > ownNearest ? 1.0 : 0.0;
    }
    return flags;
}

} // namespace assay::metrics

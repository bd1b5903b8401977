#include "engine/metrics/balls/nearest.h"

#include "engine/metrics/tables/pass_tables.h"
#include "engine/metrics/tables/values.h"

namespace assay::metrics {
namespace {

/// Per row: 1 if its nearest other sample is in its own set, 0 if it is in the other set, 0.5 for a tie.
/// @param own neighbours in the row's own set
/// @param other neighbours in the other set
std::vector<double> nearestIsOwn(const NeighborTable& own, const NeighborTable& other) {
    std::vector<double> shares(own.rows());
    for (std::size_t row = 0; row < shares.size(); ++row) {
        const double toOwn = own.distanceAt(row, 0);
        const double toOther = other.distanceAt(row, 0);
        shares[row] = toOwn < toOther ? 1.0 : toOwn > toOther ? 0.0 : 0.5;
    }
    return shares;
}

} // namespace

std::vector<double> nearestReal(const MetricInputs& in) {
    const NeighborTable& table = in.pair.synthetic.nearest;
    std::vector<double> rows(table.rows());
    for (std::size_t j = 0; j < rows.size(); ++j)
        rows[j] = static_cast<double>(table.indexAt(j, 0));
    return rows;
}

std::vector<double> nearestRealDistance(const MetricInputs& in) {
    return in.pair.synthetic.nearest.distancesAt(1);
}
std::vector<double> nearestSyntheticDistance(const MetricInputs& in) {
    return in.pair.real.nearest.distancesAt(1);
}

std::vector<double> authentic(const MetricInputs& in) {
    const NeighborTable& toReal = in.pair.synthetic.nearest;
    std::vector<double> flags(toReal.rows());
    for (std::size_t j = 0; j < flags.size(); ++j) {
        // A tie is unauthentic: an exact copy of a duplicated training sample must not pass.
        const double ownNearest = in.real.neighbors.distanceAt(toReal.indexAt(j, 0), 0);
        flags[j] = toReal.distanceAt(j, 0) > ownNearest ? 1.0 : 0.0;
    }
    return flags;
}

std::vector<double> nearestIsSynthetic(const MetricInputs& in) {
    return nearestIsOwn(in.pair.syntheticToSynthetic, in.pair.synthetic.nearest);
}

std::vector<double> nearestIsReal(const MetricInputs& in) {
    return nearestIsOwn(in.real.neighbors, in.pair.real.nearest);
}

double nearestNeighborAccuracy(const MetricInputs& in) {
    return (meanOf(nearestIsSynthetic(in)) + meanOf(nearestIsReal(in))) / 2.0;
}

} // namespace assay::metrics

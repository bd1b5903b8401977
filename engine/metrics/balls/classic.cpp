#include "engine/metrics/balls/classic.h"

#include "engine/math/statistics/nan.h"
#include "engine/metrics/tables/pass_tables.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>

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

std::vector<double> ballHoldsReal(const MetricInputs& in) {
    std::vector<double> flags(in.pair.syntheticRadius.size());
    for (std::size_t j = 0; j < flags.size(); ++j)
        flags[j] = in.pair.synthetic.nearest.distanceAt(j, 0) <= in.pair.syntheticRadius[j] ? 1.0 : 0.0;
    return flags;
}

double precision(const MetricInputs& in) {
    return shareAbove(in.pair.synthetic.holding, 0);
}
double recall(const MetricInputs& in) {
    return shareAbove(in.pair.real.holding, 0);
}
double density(const MetricInputs& in) {
    return meanOf(asNumbers(in.pair.synthetic.holding)) / static_cast<double>(in.k);
}
double coverage(const MetricInputs& in) {
    return shareAbove(in.pair.real.inside, 0);
}

double symPrecision(const MetricInputs& in) {
    return std::min(precision(in), meanOf(ballHoldsReal(in)));
}

double symRecall(const MetricInputs& in) {
    return std::min(recall(in), coverage(in));
}

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

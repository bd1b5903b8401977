#include "engine/metrics/balls/cover.h"

#include "engine/metrics/tables/pass_tables.h"
#include "engine/metrics/tables/values.h"

#include <limits>

namespace assay::metrics {

std::vector<double> coverFlags(const NeighborTable& toOther, const NeighborTable& own, const CoverSizes& cover,
                               OwnNeighbors counted) {
    const std::size_t rows = toOther.rows();
    const std::size_t rank = cover.neighbors() - (counted == OwnNeighbors::CountedSelf ? 1 : 0);
    if (toOther.k < cover.k || own.k < rank)
        return std::vector<double>(rows, std::numeric_limits<double>::quiet_NaN());
    std::vector<double> flags(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        // Of one neighbour, the sample itself, the distance is zero.
        const double within = rank == 0 ? 0.0 : own.distanceAt(row, rank - 1);
        flags[row] = toOther.distanceAt(row, cover.k - 1) <= within ? 1.0 : 0.0;
    }
    return flags;
}

double coverShare(const NeighborTable& toOther, const NeighborTable& own, const CoverSizes& cover,
                  OwnNeighbors counted) {
    return meanOf(coverFlags(toOther, own, cover, counted));
}

std::vector<double> precisionCovered(const MetricInputs& in) {
    return coverFlags(in.pair.syntheticToReal, in.pair.syntheticToSynthetic, in.cover, OwnNeighbors::Others);
}

std::vector<double> recallCovered(const MetricInputs& in) {
    return coverFlags(in.pair.realToSynthetic, in.real.neighbors, in.cover, OwnNeighbors::Others);
}

double precisionCover(const MetricInputs& in) {
    return meanOf(precisionCovered(in));
}

double recallCover(const MetricInputs& in) {
    return meanOf(recallCovered(in));
}

} // namespace assay::metrics

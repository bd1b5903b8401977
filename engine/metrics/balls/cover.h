#pragma once

#include "engine/metrics/tables/metric.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <vector>

/// Precision cover and recall cover, Cheema and Urner, AISTATS 2023.
namespace assay::metrics {

/// How the neighbours of a sample in its own set are counted.
enum class OwnNeighbors {
    Others,     ///< only other samples count, as in the definition
    CountedSelf ///< the sample itself counts as its first neighbour, as in the published program
};

/// Per sample: 1 if at least cover.k samples of the other set lie within the distance to its cover.neighbors()-th
/// neighbour in its own set, else 0.
/// @param toOther neighbours in the other set, at least cover.k per sample
/// @param own neighbours in its own set, at least cover.neighbors() per sample
/// @return one value per sample; all NaN if a table has fewer neighbours
std::vector<double> coverFlags(const NeighborTable& toOther, const NeighborTable& own, const CoverSizes& cover,
                               OwnNeighbors counted);

/// Mean of coverFlags(), in [0, 1]; NaN if a table has too few neighbours.
double coverShare(const NeighborTable& toOther, const NeighborTable& own, const CoverSizes& cover,
                  OwnNeighbors counted);

/// coverFlags() of the synthetic samples (M values), and of the real samples (N values), with OwnNeighbors::Others.
std::vector<double> precisionCovered(const MetricInputs& in);
std::vector<double> recallCovered(const MetricInputs& in);
double precisionCover(const MetricInputs& in);
double recallCover(const MetricInputs& in);

} // namespace assay::metrics

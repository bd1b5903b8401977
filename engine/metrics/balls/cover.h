#pragma once

#include "engine/metrics/tables/metric.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <vector>

/// Precision and recall cover, Cheema and Urner, AISTATS 2023.
namespace assay::metrics {

/// Which neighbours of a sample in its own set are counted.
enum class OwnNeighbors {
    Others,     ///< those of the definition
    CountedSelf ///< the sample itself is the first of them, as in the published program
};

/// Per sample: 1 when at least cover.k samples of the other set are within the distance of its cover.neighbors()-th
/// neighbour in its own set, else 0.
/// @param toOther its neighbours in the other set, at least cover.k of them
/// @param own its neighbours in its own set, at least cover.neighbors() of them
/// @return one value per sample; NaN for all where a table is shorter than that
std::vector<double> coverFlags(const NeighborTable& toOther, const NeighborTable& own, const CoverSizes& cover,
                               OwnNeighbors counted);

/// Mean of coverFlags. NaN where a table is too short.
double coverShare(const NeighborTable& toOther, const NeighborTable& own, const CoverSizes& cover,
                  OwnNeighbors counted);

/// coverFlags of the synthetic samples, and of the real ones, by the definition.
std::vector<double> precisionCovered(const MetricInputs& in);
std::vector<double> recallCovered(const MetricInputs& in);
double precisionCover(const MetricInputs& in);
double recallCover(const MetricInputs& in);

} // namespace assay::metrics

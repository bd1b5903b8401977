#pragma once

#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Returns distance / reference: 0 for 0 / 0, infinity for x / 0.
double distanceRatio(double distance, double reference) noexcept;

/// Computes the column copy_ratio. For each sample: the distance to its nearest real sample, divided by the distance
/// from that real sample to its own nearest other real sample.
/// @param toReal neighbours in the real set per sample, at least one each
/// @param real neighbours within the real set, at least one each
/// @return one value per row of `toReal`, in [0, infinity]
std::vector<double> copyRatios(const NeighborTable& toReal, const NeighborTable& real);

/// Computes the copy ratio of each real sample against the rest of the real set: the sample itself is left out of the
/// neighbours of its nearest real sample.
/// @return one value per real row, in [0, infinity]; NaN if that list contains no other sample
std::vector<double> copyRatiosWithin(const NeighborTable& real);

/// The same with the sample's whole group left out. Where a list of neighbours ends within the group, its last distance
/// takes that to the nearest other row's place, which can only be too low.
/// @param unit per real row: number of its group
std::vector<double> copyRatiosOutside(const NeighborTable& real, std::span<const std::uint32_t> unit);

/// One set as some samples see it: how far its k-th nearest row is, and how many of its rows equal the sample.
struct SeenSet {
    std::span<const double> distance;     ///< one per sample
    std::span<const std::uint32_t> equal; ///< one per sample; may be empty if no sample is at distance 0 from both sets
    std::size_t rows;                     ///< number of the set's rows without the sample itself
};

/// Per sample d log(sparse.distance / dense.distance), in nats: an estimate, up to a constant, of how much denser the
/// second set is around the sample than the first. It has no term of the sizes of the sets: such a term would differ
/// between a sample that is left out of its own set and one that is not, and would tell them apart where distances tie.
/// Where both distances are 0, shares of equal rows are compared: log(dense.equal / dense.rows) - log(sparse.equal /
/// sparse.rows). 0 / x is minus infinity, x / 0 infinity.
/// @param dim d
std::vector<double> logDensityRatios(const SeenSet& sparse, const SeenSet& dense, std::size_t dim);

} // namespace assay

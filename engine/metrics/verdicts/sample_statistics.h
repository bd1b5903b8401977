#pragma once

#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// Tail scores of a statistic: -log of the chance that a good sample has at least such a value. The chance is the rank
/// among the calibration values up to their 90 % quantile u, and 0.1 exp(-(v - u) / mean excess over u) beyond; only
/// the rank where fewer than five values exceed u. Scores of several statistics can be compared, however heavy the tail
/// of each: what is compared with them is ranked again.
/// @param calibration at least one value, finite
/// @return one score per value, at least 0; more extreme values have larger scores
std::vector<double> tailScores(std::span<const double> values, std::vector<double> calibration);

/// Tail scores of the calibration values, each with itself left out of the calibration.
std::vector<double> tailScoresLeftOut(std::span<const double> calibration);

/// Direction in which more synthetic samples are extreme than real ones can explain.
enum class Beyond { Farther, MoreCrowded, CloserToOne };

/// More synthetic samples at the far end of a statistic than real ones can explain.
struct BeyondAll {
    Beyond what = Beyond::Farther;
    std::size_t rank = 1;    ///< beyond the rank-th most extreme real sample
    std::size_t samples = 0; ///< synthetic samples there
    std::size_t ofSamples = 0;
    std::size_t real = 0; ///< real samples there, those tied with the rank-th included
    std::size_t ofReal = 0;
    double excess = 0.0; ///< samples / ofSamples - real / ofReal
    bool isSure = false; ///< whether the excess is surely 5 % or more
};

/// Tests one statistic: the number of values at or beyond the r-th most extreme real one, r = 1, 5, 20, by the negative
/// hypergeometric distribution at 0.001 / 3. Where real values tie with the r-th, all of them count, and one more.
/// @param values of synthetic samples @param real of real samples
/// @return the largest excess; empty if chance may explain all
std::optional<BeyondAll> testBeyondAll(Beyond what, std::span<const double> values, std::span<const double> real);

} // namespace assay

#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/compat/programs.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Distances of float32 rows with the rounding of scikit-learn (equal in 1.5 and 1.9), which the published programs
/// use, and ball radii that reproduce these programs' comparisons. The rounding changes a count only if a distance
/// equals a radius to the last digit: for duplicates, coarse data and copies.
namespace assay::compat {

/// Distance as in pairwise_distances: the squared distance is rounded to float32 before the square root.
/// @param distance exact distance
float pairwiseDistance(double distance);

/// Search method that NearestNeighbors(algorithm='auto') selects during fit.
enum class FitMethod { Brute, Tree };

/// Brute for more than 15 dimensions, or if `neighbors` is at least half of the fitted rows, rounded down; else Tree.
/// @param neighbors n_neighbors of the program's call, which may include the row itself
FitMethod fitMethod(std::size_t neighbors, const EmbeddingSet& fitted);

/// Distance as in NearestNeighbors.kneighbors: as pairwiseDistance() with FitMethod::Brute, exact with FitMethod::Tree.
double neighborDistance(double distance, FitMethod method);

/// Radius of the closed ball that contains exactly the distances for which `inside` is true. Precondition: `inside` is
/// true up to some distance and false beyond it.
/// @param about the radius is at most 2 * about
/// @return negative if `inside` is false at 0
double ballOf(const std::function<bool(double distance)>& inside, double about);

/// Closed-ball radii equivalent to `pairwise_distances < radius`, with the radius from pairwise_distances as well.
std::vector<double> strictPairwiseBalls(std::span<const double> radius);

/// Closed-ball radii equivalent to `pairwise_distances <= radius`, with the radius from kneighbors.
std::vector<double> closedPairwiseBalls(std::span<const double> radius, FitMethod method);

/// neighborDistance() of every distance.
std::vector<double> neighborDistances(std::span<const double> distance, FitMethod method);

/// Counts the memberships of balls in one pass.
/// @param real radii of the real balls, N
/// @param inner radii of smaller balls around the real samples, N; or empty
/// @param synthetic radii of the synthetic balls, M
PassResult countBalls(const CompatInputs& in, std::span<const double> real, std::span<const double> inner,
                      std::span<const double> synthetic);

/// Sum with NumPy's rounding: pairwise summation of halves, down to blocks of up to 128 values in eight lanes.
double pairwiseSum(std::span<const double> values);

/// Share of counts above 0, in [0, 1].
double shareHeld(std::span<const std::uint32_t> counts);

/// Exact sum of the counts.
double total(std::span<const std::uint32_t> counts);

} // namespace assay::compat

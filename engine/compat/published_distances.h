#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/compat/programs.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Distances of float32 rows as the published programs get them from scikit-learn (1.5 and 1.9 do the same), and balls
/// that hold what those programs' comparisons hold. Only where a distance equals a radius to the last digit does any of
/// it change a count: duplicates, coarse data, copies.
namespace assay::compat {

/// pairwise_distances: the squared distance is rounded to float32 before the root.
float pairwiseDistance(double distance);

/// What NearestNeighbors(algorithm='auto') settles on when it is fitted.
enum class FitMethod { Brute, Tree };

/// Brute above 15 dimensions, and in fewer where at least half of the fitted rows, rounded down, are asked for.
/// @param neighbors n_neighbors of the program's call, the row itself among them where the program counts it
FitMethod fitMethod(std::size_t neighbors, const EmbeddingSet& fitted);

/// NearestNeighbors.kneighbors: as pairwise_distances where it multiplies matrices, exact in a tree.
double neighborDistance(double distance, FitMethod method);

/// The radius of the closed ball that holds exactly the distances for which `inside`, which holds up to some distance
/// and not beyond; negative when it does not even hold at 0.
double ballOf(const std::function<bool(double distance)>& inside, double about);

/// Balls with `pairwise_distances < radius`, the radius from pairwise_distances too.
std::vector<double> strictPairwiseBalls(std::span<const double> radius);

/// Balls with `pairwise_distances <= radius`, the radius from kneighbors.
std::vector<double> closedPairwiseBalls(std::span<const double> radius, FitMethod method);

/// kneighbors distances of a column of distances.
std::vector<double> neighborDistances(std::span<const double> distance, FitMethod method);

/// Memberships of the balls, in one pass. @param inner balls within the real ones, or empty
CrossResult countBalls(const CompatInputs& in, std::span<const double> real, std::span<const double> inner,
                       std::span<const double> synthetic);

/// The sum of values as NumPy rounds it: in eight lanes of up to 128 values, halves added pairwise.
double pairwiseSum(std::span<const double> values);

/// Share of counts above 0.
double shareHeld(std::span<const std::uint32_t> counts);

/// Their sum, exactly.
double total(std::span<const std::uint32_t> counts);

} // namespace assay::compat

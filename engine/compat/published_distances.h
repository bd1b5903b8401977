#pragma once

#include "engine/audit/audit_result.h"
#include "engine/compat/programs.h"
#include "engine/knn/neighbor_search.h"

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

/// NearestNeighbors.kneighbors: the same above 15 dimensions, where it multiplies matrices; exact below, in a tree.
double neighborDistance(double distance, std::size_t dim);

/// The radius of the closed ball that holds exactly the distances for which `inside`, which holds up to some distance
/// and not beyond; negative when it does not even hold at 0.
double ballOf(const std::function<bool(double distance)>& inside, double about);

/// Balls with `pairwise_distances < radius`, the radius from pairwise_distances too.
std::vector<double> strictPairwiseBalls(std::span<const double> radius);

/// Balls with `pairwise_distances <= radius`, the radius from kneighbors.
std::vector<double> closedPairwiseBalls(std::span<const double> radius, std::size_t dim);

/// kneighbors distances of a column of distances.
std::vector<double> neighborDistances(std::span<const double> distance, std::size_t dim);

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

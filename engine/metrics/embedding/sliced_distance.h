#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>

namespace assay {

/// The sliced distance averages over at least as many directions, in bases of at most 256.
inline constexpr std::size_t kSliceDirections = 250;
/// Sets of more rows are represented by as many, drawn at random.
inline constexpr std::size_t kSliceRows = 10'000;

/// 3 d times the squared sliced Wasserstein distance of order 2: the mean over random directions of the squared
/// Wasserstein distance of the two sets' projections. The factor brings it to the scale of a Frechet distance.
/// @param a N x d, N >= 1 @param b M x d, M >= 1, of the same dimension
/// @return at least 0; below a few times the standard error of the draws it means nothing
/// @throws Cancelled
/// Source: Berthet et al., 2026 (Monge Inception Distance).
double slicedDistance(MatrixView a, MatrixView b, std::uint64_t seed, unsigned threads = 0, const JobContext& job = {});
/// Upper bound of the memory that slicedDistance() needs for sets of at most `rows` rows, in bytes.
std::size_t slicedDistanceBytes(std::size_t rows);

} // namespace assay

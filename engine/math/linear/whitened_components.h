#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <vector>

namespace assay {

/// Coordinates of rows along the leading principal components of their set, each with variance 1.
struct WhitenedComponents {
    std::vector<float> values; ///< rows x count, row-major, the largest component first
    std::size_t rows = 0;
    std::size_t count = 0;
};

/// Computes the leading components of a set. Up to 512 dimensions they are exact; above, they are those of the subspace
/// that four power iterations find from seeded random directions, ten more than asked for: what such a set has beyond
/// its leading components hardly turns them, and among components of like variance no one is preferred. The result is
/// equal, to the last bit, for any number of threads on one kind of processor.
/// @param set N x d, each column with mean 0
/// @param count components wanted; those whose variance is rounding are left out
/// @param context its seed is that of the directions alone
/// @throws Cancelled, std::bad_alloc
/// Source: Halko, Martinsson, Tropp, SIAM Review 2011, algorithm 4.4.
WhitenedComponents whitenedComponents(MatrixView set, std::size_t count, const ComputeContext& context);

} // namespace assay

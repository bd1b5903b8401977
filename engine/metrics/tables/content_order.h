#pragma once

#include "engine/data/matrix_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// The given rows of a set, ordered by a hash of their values, the seed and the number of equal rows before them: in
/// random order, equal rows as well, so that a draw or a subset taken by position is a sample of all that does not
/// depend on the order of the file. O(values + rows log rows).
/// @param rows empty: all
/// @param threads 0: all cores
std::vector<std::uint32_t> contentOrder(MatrixView set, std::span<const std::uint32_t> rows, std::uint64_t seed,
                                        unsigned threads);

/// All rows of a set in such an order, by the values of some columns only.
/// @param columns each below set.dim
std::vector<std::uint32_t> contentOrderBy(MatrixView set, std::span<const std::uint32_t> columns, std::uint64_t seed,
                                          unsigned threads);

} // namespace assay

#pragma once

#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// The rows of a set that tests of whole sets compare: one row of each unit, that is of rows which count as one sample.
/// Their order depends on their values and a seed alone: a draw or a subset taken by position does not depend on the
/// order of the file.
struct ComparedRows {
    MatrixView set;
    std::vector<std::uint32_t> rows; ///< each below set.rows

    std::size_t size() const noexcept { return rows.size(); }
    /// The values of the row at a position of `rows`.
    std::span<const float> row(std::size_t position) const noexcept { return set.row(rows[position]); }
};

/// The given rows of a set as contentOrder() has them.
/// @param rows empty: all
ComparedRows inContentOrder(MatrixView set, std::span<const std::uint32_t> rows, std::uint64_t seed, unsigned threads);

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

#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Adds one value to the hash of a row; the hash starts at 0. Serves only to distinguish rows; not cryptographic.
inline std::uint64_t rowHashWith(std::uint64_t hash, std::uint64_t value) noexcept {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    hash = (hash ^ value) * kOdd;
    return hash ^ (hash >> 29U);
}

/// The first of all rows of a set that are equal to each other.
struct DistinctRows {
    std::vector<std::uint32_t> row;   ///< of the first ones, ascending
    std::vector<std::uint32_t> times; ///< how many rows equal each of them, itself included
    std::vector<std::uint32_t> of;    ///< per row of the set: which of the first ones it equals
};

/// Groups of equal rows over one or several sets.
struct EqualRows {
    /// Per set and row: the number of the row's group. Rows are equal if all their values are; 0 and -0 are equal.
    std::vector<std::vector<std::uint32_t>> group;
    std::size_t groups = 0;

    /// Number of rows of a set in each group.
    std::vector<std::uint32_t> countsOf(std::size_t set) const;
    /// The rows of a set without repetitions.
    DistinctRows distinct(std::size_t set) const;
};

/// Groups equal rows by their hashes; rows of one hash are compared. O(values + rows log rows).
/// @param sets matrices of one dimension, without NaN
/// @param columns the columns to compare; empty: all
/// @throws Cancelled
EqualRows groupEqualRows(std::span<const MatrixView> sets, const ComputeContext& context,
                         std::span<const std::uint32_t> columns = {});

} // namespace assay

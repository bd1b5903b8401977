#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Distances from some samples to rows of a set, with each sample's own unit left out.
struct UnitDistances {
    std::vector<double> nearest;           ///< to the nearest row
    std::vector<std::uint32_t> nearestRow; ///< that row; any where there is none
    std::vector<double> secondThing;       ///< to the nearest row of another thing than that row's; infinite if none
    std::vector<double> kth;               ///< to the k-th nearest row
    std::vector<double> density;           ///< to the k'-th nearest row
};

/// The rows to which distances are wanted.
struct BaseRows {
    MatrixView matrix;                         ///< not read without a search
    std::span<const std::uint32_t> unit;       ///< per row: number of its unit
    std::span<const std::uint32_t> thing = {}; ///< per row: number of its thing; empty: these do not matter
};

/// Which rows of the real set count as one sample. Rows of one group are one, where a person gave groups. Else near
/// repeats (a picture and its flip, frames, a row given three times) are one *thing* in the copy test, and one *unit*:
/// no row of a unit is a neighbour of another one wherever a statistic or its calibration looks at a real sample among
/// real ones. Equal rows are one thing; they are one unit only where independent draws cannot explain them, because in
/// tables of few values rows repeat naturally.
struct RealPartition {
    std::vector<std::uint32_t> thing; ///< per row: number of its thing
    std::vector<std::uint32_t> unit;  ///< per row: number of its unit
    std::vector<std::uint32_t> rows;  ///< one row of each unit, ascending; chosen by its values alone
    double reach = 0.0; ///< rows are near repeats below this share of the distance to their 5th neighbour; 0: none are
    /// Rows far nearer to another one than the geometry of the set explains, whether or not they count as repeats.
    std::size_t linked = 0;
    bool byGroup = false;    ///< whether units are groups that a person gave
    std::size_t repeats = 0; ///< distinct rows that are near repeats of another one
    /// Per entry of `rows`: 1 if it equals a row of another unit.
    std::vector<std::uint8_t> equalsAnother;
    std::size_t equalRows = 0; ///< number of ones in equalsAnother
    /// Expected pairs of equal rows if one half of the columns were independent of the other.
    double expectedEqualPairs = 0.0;
    std::size_t densityNeighbors = 1; ///< k' = max(1, min(20, units - 2)); a model with fewer rows uses fewer
    UnitDistances distances;          ///< of every real row to the other units; `density` by densityNeighbors

    /// Whether equal rows are missing where some are to be expected.
    bool deduplicated() const noexcept { return equalRows == 0 && expectedEqualPairs >= 3.0; }
    /// Whether a sample may equal a real row without being a copy of it.
    bool equalityIsNatural() const noexcept { return equalRows > 0 || deduplicated(); }
    /// Whether every row is a unit of its own.
    bool isTrivial() const noexcept { return rows.size() == unit.size(); }
    /// The real rows as those to which distances are wanted.
    BaseRows base(const EmbeddingSet& real) const;
};

/// Finds near repeats by the geometry of the set. Where samples lie locally evenly in m dimensions, (NNDr_5 /
/// NNDr_10)^m has the distribution Beta(5, 5) and P(NNDr_1 / NNDr_5 < x) = 1 - (1 - x^m)^4; rows are linked below the x
/// at which half a link is expected among all rows. Nothing is linked where that geometry does not hold, where the
/// numbers of repeats are those of independent draws (clusters of the law), or where linked rows are whole classes.
/// docs/verdicts.md has the rules and their rates.
/// @param neighbors neighbours within the set, at least min(20, N - 1) per row
/// @param search finds neighbours beyond the lists; null where this process does not hold the rows: then every row
///        stands for itself
/// @throws Cancelled
RealPartition partitionReal(const EmbeddingSet& real, const NeighborTable& neighbors, std::size_t k,
                            const NeighborSearch* search, const ComputeContext& context);

/// Whether the numbers of rows that occur once, twice, .. can come of independent draws from a law: n_(j+1) >= j / (j +
/// 1) n_j^2 / n_(j-1) for every law (Cauchy and Schwarz), up to chance.
/// @param sizes number of rows of each group
bool mayBeDrawnAgain(std::span<const std::uint32_t> sizes);

/// Samples whose distances to rows of a set are looked up.
struct SeeingRows {
    MatrixView samples;
    const NeighborTable& nearest;           ///< their nearest rows
    std::span<const std::uint32_t> ownUnit; ///< their unit, if they are rows of the set or of its groups; else empty
};

/// Distances of samples to rows outside their units, from their neighbour lists; samples whose lists end early are
/// searched again.
/// @param neighbors the k' of `density`
/// @param search null: lists that end early count with their last distance
/// @throws Cancelled
UnitDistances distancesOutside(const SeeingRows& from, const BaseRows& base, std::size_t k, std::size_t neighbors,
                               const NeighborSearch* search, const ComputeContext& context);

} // namespace assay

#pragma once

#include "engine/base/compute_context.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/k_means.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// The real set divided into regions of similar samples, to find modes without labels. Source: Richardson and Weiss,
/// NeurIPS 2018 (NDB); unlike there, regions are cut on other rows than those that are counted, as the former lie
/// nearer to the centres than fresh samples of the same law do. Computed once and shared by every model.
struct RealRegions {
    /// Cells fitted to the first half of the compared rows (at most 1,000); `cell` has one entry per row of the real
    /// set. Without cells where this half has fewer than 20 rows.
    Cells cells;
    std::vector<std::uint32_t> countedRows; ///< compared rows of the real set that the cells were not fitted to
    std::vector<std::uint32_t> counts;      ///< per region: number of `countedRows`

    bool empty() const noexcept { return cells.count() == 0; }
    /// Number of regions: one per hundred compared rows, clamped to [2, 50].
    static std::size_t countFor(std::size_t comparedRows) noexcept;
};

/// Divides the real set by k-means; into fewer regions where it has fewer different rows. The regions do not depend on
/// the order of the set's rows.
/// @param real in content order
/// @param search finds the nearest centre of every row
/// @throws Cancelled
RealRegions cutRegions(const ComparedRows& real, const NeighborSearch& search, const ComputeContext& context);

/// How many samples of a synthetic set lie in each region, compared with the real set. Lists of regions hold cell
/// numbers.
struct RegionShares {
    std::vector<std::uint32_t> cell;   ///< per row of the synthetic set: its region
    std::vector<std::uint32_t> counts; ///< per region: compared synthetic rows
    std::size_t synthetic = 0;         ///< number of compared synthetic rows
    std::size_t real = 0;              ///< number of counted real rows
    /// Per region: two-sided p-value of Fisher's exact test for the equality of its two shares.
    std::vector<double> p;

    /// Regions whose share differs (Benjamini and Hochberg at 1 %) and is at least 1.5 times the real one, the largest
    /// difference of the shares first.
    std::vector<std::uint32_t> many;
    /// Regions whose share differs and is at most a fourth of the real one, the largest difference of the shares first.
    std::vector<std::uint32_t> nearlyEmpty;

    double manyShare = 0.0;                 ///< share of the synthetic rows in the regions of `many`
    double manyRealShare = 0.0;             ///< share of the real rows in them
    double nearlyEmptyShare = 0.0;          ///< share of the synthetic rows in the regions of `nearlyEmpty`
    double nearlyEmptyRealShare = 0.0;      ///< share of the real rows in them
    Bounds nearlyEmptyBounds{0.0, 1.0};     ///< exact 95 % interval of `nearlyEmptyShare`
    Bounds nearlyEmptyRealBounds{0.0, 1.0}; ///< exact 95 % interval of `nearlyEmptyRealShare`

    std::vector<std::uint32_t> rowsInMany;            ///< rows of the synthetic set in `many`, ascending
    std::vector<std::uint32_t> realRowsInNearlyEmpty; ///< rows of the real set in `nearlyEmpty`, ascending

    /// Share of the synthetic samples that are too many in the regions of `many`.
    double explainedSurplus() const noexcept { return manyShare - manyRealShare; }
    /// Whether nearly empty regions make the model faulty: they surely hold 5 % more of the real samples.
    bool marks() const noexcept;
};

/// Counts the rows of a synthetic set. Nothing is reported, and `cell` is empty, without regions or with fewer than 20
/// compared rows.
/// @throws Cancelled
RegionShares regionShares(const RealRegions& regions, const ComparedRows& synthetic, const NeighborSearch& search,
                          const JobContext& job);

} // namespace assay

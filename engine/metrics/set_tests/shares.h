#pragma once

#include "engine/base/compute_context.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/math/statistics/k_means.h"
#include "engine/metrics/tables/compared_rows.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Shares of the classes in a synthetic set, compared with their shares in the real set. Lists of classes hold class
/// codes.
struct ClassShares {
    std::vector<std::uint32_t> realCounts;      ///< per class: real samples
    std::vector<std::uint32_t> syntheticCounts; ///< per class: synthetic samples
    std::size_t real = 0;                       ///< sum of `realCounts`
    std::size_t synthetic = 0;                  ///< sum of `syntheticCounts`
    /// Per class: two-sided p-value of Fisher's exact test for the equality of its two shares.
    std::vector<double> p;

    /// Classes whose share differs (Benjamini and Hochberg at 2 %) and is at least 1.5 times the real one, the largest
    /// difference of the shares first.
    std::vector<std::uint32_t> over;
    /// Classes whose share differs and is at most the real one over 1.5, without those in `lost`; the largest
    /// difference of the shares first.
    std::vector<std::uint32_t> under;
    /// Real classes without a synthetic sample, the most frequent first.
    std::vector<std::uint32_t> missing;
    /// Those of `missing` that are surely lost: their share differs, or they have at least 30 real samples and the
    /// chance of no synthetic one is at most 1 % over the number of classes with as many. The same order.
    std::vector<std::uint32_t> lost;

    std::size_t realClasses = 0;      ///< classes with a real sample
    double missingByChance = 0.0;     ///< number of classes to be expected in `missing`; not a whole number
    bool tooManyMissing = false;      ///< whether `missing` has more classes than chance explains
    bool distributionDiffers = false; ///< whether all shares together differ although no single class is named

    double lostShare = 0.0;        ///< share of the real samples that are of the classes in `lost`
    double overSurplus = 0.0;      ///< sum over `over`: synthetic share less real share
    double explainedSurplus = 0.0; ///< share of the synthetic samples that these differences explain as too many

    /// Where counts are of one sample of each group: only classes without any sample are missing.
    /// @param allCounts synthetic samples per class, all of them
    void keepMissing(std::span<const std::uint32_t> allCounts);
    double realShare(std::size_t code) const;
    double syntheticShare(std::size_t code) const;
    /// Whether missing classes make the model faulty: too many, or 5 % of the real samples together.
    bool lossMarks() const;
    /// Whether classes with too many samples make it faulty: a surplus of 5 % together.
    bool surplusMarks() const;
};

/// Compares the shares of classes. The number of missing classes is compared with 100 draws of the labels over the
/// pooled samples and with what independent draws of the real shares leave out; all shares at once by the chi-square
/// statistic of the same draws. The result depends on the counts and the seed only. O(100 classes + deviations).
/// @param realCounts, syntheticCounts samples per class, as many classes each; nothing is reported if either sum is 0
/// @throws Cancelled
ClassShares classShares(std::span<const std::uint32_t> realCounts, std::span<const std::uint32_t> syntheticCounts,
                        const ComputeContext& context);

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

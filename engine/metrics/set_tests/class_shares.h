#pragma once

#include "engine/base/compute_context.h"

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

} // namespace assay

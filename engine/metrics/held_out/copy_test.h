#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/k_means.h"
#include "engine/metrics/tables/metric.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// The three-sample test for data copying, Meehan, Chaudhuri, Dasgupta, AISTATS 2020.
namespace assay {

/// Distances of some samples to the training set within their regions.
struct RegionDistances {
    std::vector<std::uint32_t> region; ///< per sample
    std::vector<double> nearest;       ///< per sample: to the nearest training sample of the same region
};

/// The training (real) set cut into regions, and where the held-out samples lie.
struct CopyTestRegions {
    static constexpr std::size_t kRegions = 3; ///< as in the paper's ImageNet experiment and in the FLD package

    Cells cells; ///< of the training set
    RegionDistances heldOut;
};

/// @param training N x d
/// @param heldOut H x d
/// @param nearest of each held-out sample in the training set
/// @throws Cancelled
CopyTestRegions copyTestRegions(MatrixView training, MatrixView heldOut, const NeighborTable& nearest,
                                const ComputeContext& context);

/// Where samples lie and how far the nearest training sample of their region is. The table answers for most of them.
/// @throws Cancelled
RegionDistances regionDistances(MatrixView training, const Cells& cells, MatrixView samples,
                                const NeighborTable& nearest, const ComputeContext& context);

namespace metrics {

/// Mann-Whitney's U of the first sample (how many pairs have the first's value above the second's, ties counting
/// half), minus its mean less one half, over its standard deviation without correction for ties: as the authors'
/// program has it. NaN for an empty sample. O(n log n).
double mannWhitneyZ(std::span<const double> first, std::span<const double> second);

/// C_T: the mean of the regions' Z_U, weighted by the share of held-out samples there. Regions with a share of at most
/// `least` of the synthetic samples are left out, and those without a training or held-out sample. NaN for none left.
double copyTestScore(const RegionDistances& synthetic, const RegionDistances& heldOut, std::size_t regions,
                     double least);

double ctScore(const MetricInputs& in);
double ctScoreGlobal(const MetricInputs& in);

} // namespace metrics
} // namespace assay

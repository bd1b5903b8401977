#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/k_means.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

/// The three-sample test for data copying, Meehan, Chaudhuri, Dasgupta, AISTATS 2020.
namespace assay {

/// Regions of some samples, and their distances to the training set within these regions.
struct RegionDistances {
    std::vector<std::uint32_t> region; ///< per sample
    std::vector<double> nearest;       ///< per sample: to the nearest training sample of the same region
};

/// Regions of the training (real) set, and the held-out samples' positions in them.
struct CopyTestRegions {
    static constexpr std::size_t kRegions = 3; ///< as in the paper's ImageNet experiment and in the FLD package

    Cells cells; ///< cells of the training set, from k-means
    RegionDistances heldOut;
};

/// Cuts the training set into regions by k-means and locates the held-out samples. The regions do not depend on the
/// order of the rows.
/// @param training N x d
/// @param heldOut H x d
/// @param nearest neighbours of each held-out sample in the training set
/// @throws Cancelled
CopyTestRegions copyTestRegions(MatrixView training, MatrixView heldOut, const NeighborTable& nearest,
                                const ComputeContext& context);

/// Region of each sample, and the distance to the nearest training sample in the same region: infinite if the region
/// has none. The table already contains most of these neighbours; the remaining samples are searched.
/// @param training N x d
/// @param cells regions of the training set
/// @param nearest neighbours of each sample in the training set
/// @throws Cancelled
RegionDistances regionDistances(MatrixView training, const Cells& cells, MatrixView samples,
                                const NeighborTable& nearest, const ComputeContext& context);

namespace metrics {

/// Mann-Whitney Z statistic of two samples. U counts the pairs in which the value of `first` is above that of `second`;
/// ties count one half. Z is U minus its mean less one half, divided by its standard deviation without tie correction,
/// as in the authors' program. NaN if a sample is empty. O(n log n).
double mannWhitneyZ(std::span<const double> first, std::span<const double> second);

/// C_T: the mean of the regions' Z statistics, weighted by each region's share of the held-out samples. A region is
/// left out if its share of the synthetic samples is at most `least`, or if it has no training or no held-out sample.
/// NaN if no region is left. Negative values indicate copying.
double copyTestScore(const RegionDistances& synthetic, const RegionDistances& heldOut, std::size_t regions,
                     double least);

double ctScore(const MetricInputs& in);
double ctScoreGlobal(const MetricInputs& in);

} // namespace metrics

struct CopyTestRegions;
struct LikelihoodBasis;

/// Reference data for metrics that need a held-out real set. Computed from the real and the held-out set only, and
/// shared by every model.
struct HeldOutBasis {
    std::vector<double> nearestReal;                   ///< per held-out sample: distance to its nearest real sample
    std::shared_ptr<const CopyTestRegions> regions;    ///< regions of the real set; null if no process holds all rows
    std::shared_ptr<const LikelihoodBasis> likelihood; ///< null if no process holds all rows
};

} // namespace assay

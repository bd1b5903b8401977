#pragma once

#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstdint>
#include <span>
#include <vector>

/// Membership inference: can someone who holds the synthetic set tell training samples from others? The statistic of a
/// sample is its distance to the nearest synthetic sample; small speaks for membership. Chen et al. 2020, "GAN-Leaks";
/// Hayes et al. 2019.
namespace assay {

/// Quantiles of a set's distances to its nearest real samples.
struct RecordDistances {
    double dcr5 = 0.0;       ///< 5th percentile of the distance to the closest record
    double dcrMedian = 0.0;  ///< its median
    double nndr5 = 0.0;      ///< 5th percentile of the ratio of the nearest to the second nearest distance, in [0, 1]
    double nndrMedian = 0.0; ///< its median
};

/// @param nearest each sample's nearest real samples. The ratios are NaN if it lists only one; 0 / 0 counts as 0.
RecordDistances recordDistances(const NeighborTable& nearest);

/// Membership inference against one model.
struct MembershipScores {
    std::vector<double> heldOutDistance; ///< per held-out sample: distance to the nearest synthetic sample
    double auc = 0.0;                    ///< P(d(real) < d(held-out)) + P(=) / 2; 0.5 is ideal, 1 is the worst
    double tpr1 = 0.0;                   ///< share of real samples nearer than `threshold`; 0.01 is ideal
    /// The largest distance with at most 1 % of the held-out samples nearer than it.
    double threshold = 0.0;
    std::vector<double> rank;  ///< per real sample: share of held-out samples that are farther from the synthetic set
    RecordDistances heldOut{}; ///< of the held-out samples: what the synthetic set's are compared with
    // Which samples are drawn together, because they are of one group: per sample a number below their count. Empty:
    // each is drawn by itself.
    std::vector<std::uint32_t> realUnit{}, heldOutUnit{};
};

/// O((N + H) log H).
/// @param real N distances of the real samples to their nearest synthetic sample
/// @param heldOut H distances of the held-out samples, H >= 1
MembershipScores membershipScores(std::span<const double> real, std::vector<double> heldOut);

/// Resampled values of both aggregates.
struct MembershipResamples {
    std::vector<double> auc;
    std::vector<double> tpr1;
};

/// Draws the units of both sets with replacement. The draws depend on the seed and on the number of units only.
/// @param scores with the distances of the held-out samples @throws Cancelled
MembershipResamples resampleMembership(std::span<const double> real, const MembershipScores& scores,
                                       const Resampling& how, const JobContext& job = {});

namespace metrics {

double dcr5(const MetricInputs& in);
double dcrMedian(const MetricInputs& in);
double nndr5(const MetricInputs& in);
double nndrMedian(const MetricInputs& in);

} // namespace metrics
} // namespace assay

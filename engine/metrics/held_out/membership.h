#pragma once

#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Membership inference: can someone who holds the synthetic set tell training samples from others? The statistic of a
/// sample is its distance to the nearest synthetic sample; small speaks for membership. Chen et al. 2020, "GAN-Leaks";
/// Hayes et al. 2019.
/// Tests of a held-out set by distances to the nearest sample of a set. All distances are without NaN, in any order.
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

/// Real samples that lie nearer to the synthetic set than held-out samples do: someone who holds the synthetic set can
/// pick them out as training samples.
struct PickedOut {
    std::size_t picked = 0;  ///< real samples at most as far as the threshold
    std::size_t real = 0;    ///< number of real samples
    std::size_t alarms = 0;  ///< held-out samples at most as far; one more where a real one ties with the threshold
    std::size_t heldOut = 0; ///< number of held-out samples
    double threshold = 0.0;  ///< distance of the max(1, heldOut / 100)-th nearest held-out sample
    double p = 1.0;          ///< probability of as many real samples if both sets are of one law

    /// Share of the real samples that are picked out.
    double share() const noexcept { return static_cast<double>(picked) / static_cast<double>(real); }
    /// Share to be expected by guessing: alarms / (heldOut + 1).
    double falseAlarms() const noexcept { return static_cast<double>(alarms) / static_cast<double>(heldOut + 1); }
    /// Whether the excess is sure (p <= 0.5 %) and at least 1 % of the real samples.
    bool isReported() const noexcept;
    /// Whether it makes the model faulty: p <= 0.1 % and 5 % of the real samples.
    bool marks() const noexcept;
};

/// Exceedance test at about 1 % false alarms. O(N + H log H).
/// @param real distances of the real samples, one of each unit, to the nearest synthetic one
/// @param heldOut distances of the held-out samples, without those that repeat real ones
/// @return none with fewer than 20 held-out samples or without real ones
std::optional<PickedOut> pickedOut(std::span<const double> real, std::span<const double> heldOut);

/// Tests of the held-out set by its distances to the synthetic set.
struct HeldOutTests {
    std::optional<PickedOut> pickedOut;
    double copiesOfHeldOut = 0.0; ///< share of synthetic samples that are copies of held-out ones; in [0, 1]
    bool swapped = false;         ///< whether the model is nearer to the held-out set, or copies twice as much of it
};

/// Whether the synthetic set is nearer to the held-out set than to the real set, as if the two files were exchanged:
/// P(real nearer) is surely below 0.45 (its 95 % interval by DeLong ends there). False with fewer than two samples.
/// @param real, heldOut distances to the nearest synthetic sample; held-out ones that repeat real ones included
bool isNearerToHeldOut(std::span<const double> real, std::span<const double> heldOut);

/// Distances by which nearest neighbours tell real and held-out samples apart.
struct RealAndHeldOutDistances {
    std::span<const double> realToReal; ///< per real sample: to the nearest real one outside its own unit
    std::span<const double> realToHeldOut;
    std::span<const double> heldOutToReal;
    std::span<const double> heldOutToHeldOut; ///< per held-out sample: to the nearest other one
};

/// Accuracy of the nearest neighbour at telling real and held-out samples apart.
struct NearestNeighborAccuracy {
    double accuracy = 0.5;  ///< mean over both sets, in [0, 1]; 0.5 is a coin toss
    double deviation = 0.0; ///< standard error

    /// Whether the two sets are surely not drawn alike: accuracy at least 0.55, and 2.6 deviations above 0.5.
    bool isUnlike() const noexcept;
};

/// Source: two-sample test by nearest neighbours (Schilling, JASA 1986; Lopez-Paz and Oquab, ICLR 2017).
/// @return a coin toss if either set is empty
NearestNeighborAccuracy heldOutAccuracy(const RealAndHeldOutDistances& distances);

} // namespace assay

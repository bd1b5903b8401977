#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace assay {

struct AuditResult;
struct HeldOutAnalysis;
struct ModelAudit;
struct RealAnalysis;

/// Two samples that are near each other. The list that contains the pair defines which sets the rows belong to.
struct SamplePair {
    std::uint32_t first = 0;  ///< row
    std::uint32_t second = 0; ///< row
    double distance = 0.0;    ///< in the embedding's unit, >= 0
    /// Distance divided by a reference distance between real samples nearby; 0 for 0 / 0, infinite for x / 0.
    double ratio = 0.0;

    friend bool operator==(const SamplePair&, const SamplePair&) = default;
};

/// Pairs in ascending order of ratio, then distance, then rows.
struct SamplePairs {
    std::vector<SamplePair> pairs;
    /// Pairs with a smaller ratio, and pairs at distance 0, are remarkably near; kNoneRemarkable: no pair is.
    double threshold = 0.0;
    std::size_t remarkable = 0; ///< number of remarkably near pairs; they are the first of the list
};

/// Accepted share of good samples that are remarkably near to another sample by chance.
constexpr double kRemarkableShare = 0.01;

/// Threshold where more than kRemarkableShare of good samples equal another one, as combinations of categories do: then
/// not even equal samples are remarkably near.
constexpr double kNoneRemarkable = -1.0;

/// Whether a pair is remarkably near: at distance 0, or with a ratio below the threshold.
constexpr bool isRemarkable(const SamplePair& pair, double threshold) noexcept {
    return threshold >= 0.0 && (pair.distance == 0.0 || pair.ratio < threshold);
}

/// Pairs of each synthetic sample with its nearest other synthetic sample. Every pair occurs once, with the lower row
/// first. A sample's reference is the distance from its nearest real sample to that sample's nearest other real sample.
/// The pair's ratio is its distance divided by the smaller of the two references. O(M log M).
/// @param seed seed of the threshold, see duplicateThreshold()
/// @return empty if tables are missing
/// @throws Cancelled
SamplePairs duplicatePairs(const RealAnalysis& real, const ModelAudit& model, std::uint64_t seed,
                           const JobContext& job = {});

/// Pairs of each synthetic sample (`first`) with its nearest real sample (`second`); the ratio is copy_ratio. They show
/// copies of real samples. With the audit of the held-out set they show samples that both real sets contain. O(M log
/// M).
/// @return empty if tables are missing
/// @throws Cancelled
SamplePairs copyPairs(const RealAnalysis& real, const ModelAudit& model, const JobContext& job = {});

/// Pairs of each real sample (`first`) with its nearest synthetic sample (`second`), the most exposed first. The ratio
/// is the share of held-out samples that are at least as near to the synthetic set (1 - membership_rank): the false
/// alarms at which the sample is told to be a training sample. Remarkable pairs are those of the samples that
/// `membership_tpr_1` counts. O(N log N).
/// @param heldOutRows number of held-out samples, at least 1
/// @return empty if the tables or `membership_rank` are missing
/// @throws Cancelled
SamplePairs exposedPairs(const ModelAudit& model, std::size_t heldOutRows, const JobContext& job = {});

/// The ratio below which at most kRemarkableShare of good synthetic samples have a nearest other synthetic sample. It
/// is measured within the real set: N M / (N + M) random rows play the synthetic set, the rest plays the real set, so
/// that the ratio of the part sizes is that of M and N. Several splits are drawn if one leaves few values. Distances
/// are read from the lists of `real` only.
/// @param real neighbours within the real set, N rows
/// @param syntheticRows M
/// @return in [0, infinity]; 0 if there are too few real samples for such a share, so that only equal samples are near;
/// or kNoneRemarkable
/// @param unit per row: number of its group, which plays as a whole; empty: each row by itself
/// @throws Cancelled
double duplicateThreshold(const NeighborTable& real, std::size_t syntheticRows, std::uint64_t seed,
                          const JobContext& job = {}, std::span<const std::uint32_t> unit = {});

/// The copy ratio below which at most kRemarkableShare of the real samples lie, each left out of the real set.
/// @param real neighbours within the real set, N rows
/// @param unit per row: number of its group, which is left out with it; empty: each row by itself
/// @return in [0, infinity]; 0 if there are too few real samples for such a share; or kNoneRemarkable
double copyThreshold(const NeighborTable& real, std::span<const std::uint32_t> unit = {});

/// Number of the group of each real sample; empty without groups.
std::vector<std::uint32_t> unitsOf(const RealAnalysis& real);

/// Groups of near duplicates among the synthetic samples: the connected components of the pairs that are remarkably
/// near at this threshold, among each sample's stored neighbours. Ratios as in duplicatePairs(). O(M k).
/// @param threshold a ratio, such as duplicateThreshold()
/// @return per synthetic row the lowest row of its group, or the row itself if it is in no group; empty if tables are
/// missing
/// @throws Cancelled
std::vector<std::uint32_t> duplicateRepresentatives(const RealAnalysis& real, const ModelAudit& model, double threshold,
                                                    const JobContext& job = {});

/// Which samples are paired.
enum class PairKind {
    Duplicates, ///< two synthetic samples of the current model
    Copies,     ///< a synthetic sample and its nearest real one
    Leaks,      ///< a held-out sample and its nearest real one
    Exposed,    ///< a real sample and its nearest synthetic one, the easiest to tell as a training sample first
};
constexpr std::array kPairKinds{PairKind::Duplicates, PairKind::Copies, PairKind::Leaks, PairKind::Exposed};

/// Pairs of one model and of the held-out set. A plain value.
struct PairLists {
    std::shared_ptr<const ModelAudit> model;        ///< whose duplicates and copies these are
    std::shared_ptr<const HeldOutAnalysis> heldOut; ///< whose leaks these are; null without a held-out set
    std::array<SamplePairs, kPairKinds.size()> lists;

    const SamplePairs& of(PairKind kind) const { return lists[static_cast<std::size_t>(kind)]; }
};

/// Finds the duplicates, copies and leaks of a model of the audit; takes up to a second for a million samples. For any
/// thread.
/// @throws Cancelled
std::shared_ptr<const PairLists> findPairs(const AuditResult& audit, std::size_t model, const JobContext& job = {});

/// Finds the most exposed real samples: pairs of PairKind::Exposed alone, none without a held-out set. Cost and use as
/// of findPairs().
/// @throws Cancelled
std::shared_ptr<const PairLists> findExposed(const AuditResult& audit, std::size_t model, const JobContext& job = {});

} // namespace assay

#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

struct ModelAudit;
struct RealAnalysis;

/// Two samples that are near each other. Which sets the rows are of depends on the list that the pair is in.
struct SamplePair {
    std::uint32_t first = 0;  ///< row
    std::uint32_t second = 0; ///< row
    double distance = 0.0;    ///< in the embedding's unit, >= 0
    double ratio = 0.0;       ///< distance in units of how far real samples are from each other there; 0 for 0 / 0,
                              ///< infinite for x / 0

    friend bool operator==(const SamplePair&, const SamplePair&) = default;
};

/// Pairs, nearest first: ascending by ratio, then distance, then rows.
struct SamplePairs {
    std::vector<SamplePair> pairs;
    double threshold = 0.0;     ///< pairs with a smaller ratio, and those at distance 0, are remarkably near
    std::size_t remarkable = 0; ///< these are the first ones of the list
};

/// Share of good samples that are remarkably near to another one by chance.
constexpr double kRemarkableShare = 0.01;

/// Whether a pair is remarkably near: equal, or with a ratio below the threshold.
constexpr bool isRemarkable(const SamplePair& pair, double threshold) noexcept {
    return pair.distance == 0.0 || pair.ratio < threshold;
}

/// Pairs of one model's samples, each of which is the other one's nearest, or one of the two the other's. Every pair
/// comes once, the lower row first. Its ratio: the distance over the smaller reference of the two, where a sample's
/// reference is the distance from its nearest real sample to that one's nearest other real sample. O(M log M).
/// @param seed of the threshold, see duplicateThreshold()
/// @return nothing where tables are missing
/// @throws Cancelled
SamplePairs duplicatePairs(const RealAnalysis& real, const ModelAudit& model, std::uint64_t seed,
                           const JobContext& job = {});

/// Each of one model's samples (`first`) with its nearest real sample (`second`); the ratio is copy_ratio. For copies
/// of real samples, and with the audit of the held-out set for samples that both real sets hold. O(M log M).
/// @return nothing where tables are missing
/// @throws Cancelled
SamplePairs copyPairs(const RealAnalysis& real, const ModelAudit& model, const JobContext& job = {});

/// The ratio below which at most kRemarkableShare of good synthetic samples have a nearest other one. It is measured
/// within the real set: rows play the synthetic set at random, N M / (N + M) of them, and the others the real one, so
/// that the parts' sizes are to each other as the sets' are; several splits where one leaves few values. Distances come
/// from the lists of `real` alone.
/// @param real real-real, N rows
/// @param syntheticRows M
/// @return in [0, infinity]; 0 where there are too few real samples for such a share: only equal samples remain
/// @throws Cancelled
double duplicateThreshold(const NeighborTable& real, std::size_t syntheticRows, std::uint64_t seed,
                          const JobContext& job = {});

/// The ratio below which at most kRemarkableShare of real samples, each left out of the real set, have their nearest
/// real one. @return as duplicateThreshold()
double copyThreshold(const NeighborTable& real);

/// Groups of near duplicates among one model's samples: what is connected by pairs that are remarkably near at this
/// threshold, among each sample's stored neighbours. The ratio of a pair is that of duplicatePairs(). O(M k).
/// @param threshold a ratio, such as duplicateThreshold()
/// @return per synthetic row the lowest row of its group; itself where it is in none. Empty where tables are missing
/// @throws Cancelled
std::vector<std::uint32_t> duplicateRepresentatives(const RealAnalysis& real, const ModelAudit& model, double threshold,
                                                    const JobContext& job = {});

} // namespace assay

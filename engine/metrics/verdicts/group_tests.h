#pragma once

#include "engine/data/embedding_set.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/verdicts/sample_units.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// How much of a synthetic set is nearest to one group of the real set.
struct GroupUse {
    std::string name;
    std::size_t realRows = 0;
    std::size_t nearest = 0; ///< synthetic samples whose nearest real sample is of the group

    bool operator==(const GroupUse&) const = default;
};

/// The groups of the real set, the most used first; groups of equal use by name. O(N + M).
/// @param toReal nearest real samples of the synthetic ones
/// @return nothing where the real set has no groups
std::vector<GroupUse> groupUse(const EmbeddingSet& real, const NeighborTable& toReal);

/// Whether a synthetic set draws from the groups (patients, videos) of the real set. Both counts are of one sample of
/// each group; of all synthetic samples where these are not known.
struct GroupTests {
    /// Samples that lie as near to a real group as the samples of that group lie to each other, or half as far again.
    std::size_t inside = 0;
    std::size_t of = 0;
    std::size_t realInside = 0; ///< the same of real samples and other groups
    std::size_t ofReal = 0;
    double p = 1.0;                  ///< one-sided, Fisher's exact test
    std::size_t independent = 0;     ///< samples among `of` that are surely independent; 0: all
    std::vector<std::uint32_t> rows; ///< all synthetic rows that lie so near, ascending
    /// Groups that are nearest to surely more synthetic samples than to samples of other real groups: to 5 % of them,
    /// three times as many (Fisher's exact test, Benjamini and Hochberg at 1 %).
    std::vector<GroupUse> overused;

    double ownNeighbors = 0.0; ///< share of the k nearest real neighbours of real samples that are of their own group

    double share() const noexcept { return static_cast<double>(inside) / static_cast<double>(of); }
    double byChance() const noexcept { return static_cast<double>(realInside) / static_cast<double>(ofReal); }
    /// p <= 0.1 %, and at least 1 % more than by chance.
    bool isReported() const noexcept;
    /// Whether it makes the model faulty: its exact 95 % interval begins 5 % above chance.
    bool marks() const noexcept;
};

/// @param real with a partition by groups
/// @param toReal nearest real samples of the synthetic ones
GroupTests testGroups(const RealAnalysis& real, const NeighborTable& toReal, const SampleUnits& units);

namespace metrics {
double ownGroupNeighbors(const MetricInputs& in);
} // namespace metrics

} // namespace assay

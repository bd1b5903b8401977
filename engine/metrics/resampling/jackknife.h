#pragma once

#include "engine/metrics/tables/metric.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

/// Groups of rows of one set that the jackknife leaves out in turn. Rows with equal neighbour distances, equal rows
/// among them, are in one group, as are the rows of one unit.
struct RowGroups {
    std::vector<std::uint32_t> group; ///< per row: number of its group, below `count`
    std::uint32_t count = 0;          ///< number of groups, none of them empty; at most kMaxGroups

    static constexpr std::size_t kMaxGroups = 25;
};

/// Per row: a hash of its nearest distances and the seed, which does not depend on the row's place in a file. Distances
/// serve as content because every process of a cluster has them.
/// @param lists neighbour lists of the rows, in one or more sets
std::vector<std::uint64_t> distanceHashes(std::span<const NeighborTable* const> lists, std::uint64_t seed);

/// Divides rows into groups of about equal size, in the order of distanceHashes().
/// @param unit per row: number of its unit, whose rows stay together; empty: each row alone
RowGroups groupRows(std::span<const NeighborTable* const> lists, std::uint64_t seed,
                    std::span<const std::uint32_t> unit = {});

/// Values of one metric with each group of rows left out in turn. A side with fewer than two groups has none.
struct Replicates {
    std::vector<double> withoutReal;
    std::vector<double> withoutSynthetic;

    bool empty() const noexcept { return withoutReal.empty() && withoutSynthetic.empty(); }
    bool operator==(const Replicates&) const = default;
};

/// Delete-a-group jackknife of both sets: (g - 1) / g times the sum of the squared deviations of g values from their
/// mean; 0 for no values.
double jackknifeVariance(std::span<const double> values);

/// Half width of a 95 % interval in standard deviations: Student's t with 24 degrees of freedom.
constexpr double kJackknifeDeviations = 2.06;

/// Whether the stored neighbour lists suffice to leave rows of the real set out: at least 4 k rows, lists of k + 4
/// neighbours or of all rows, no group with half of the rows, and at most one row in a hundred with as many neighbours
/// at its k-th distance as are listed (tables of categories), of which the list holds an arbitrary part. It depends on
/// the real set only, so that the metrics of all models are treated alike.
bool jackknifeServes(const RealAnalysis& real, const RowGroups& groups);

/// Computes metrics from the tables of the sets without each group of rows. Radii, their median, nearest neighbours and
/// counts are found anew in the stored lists; a pair counts if the list of either row contains it. A list that ends too
/// early continues with its last distance. Pairs that no list contains stay in the counts of samples per ball.
/// @param in in.job reports progress and stops the work
/// @param metrics metrics that are functions of the neighbour tables
/// @param realGroups, syntheticGroups groups of the rows of both sets
/// @return one entry per metric; independent of the number of threads
/// @throws Cancelled
std::vector<Replicates> jackknife(const MetricInputs& in, std::span<const Metric* const> metrics,
                                  const RowGroups& realGroups, const RowGroups& syntheticGroups);

/// Upper bound of the bytes that jackknife() uses while it runs.
/// @param threads 0: all cores
std::size_t jackknifeBytes(std::size_t realRows, std::size_t syntheticRows, std::size_t neighbors, unsigned threads);

} // namespace assay

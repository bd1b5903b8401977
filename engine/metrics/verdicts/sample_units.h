#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

struct RealPartition;

/// Sets of fewer groups show too little of how groups differ: nothing is said of the sets as a whole.
constexpr std::size_t kFewestGroups = 10;

/// The numbers of some groups made 0, 1, .. in the order of their first members.
std::vector<std::uint32_t> renumbered(std::span<const std::uint32_t> groups);
/// Number of groups that are numbered so.
std::size_t groupsIn(std::span<const std::uint32_t> groups);
/// Members of each such group.
std::vector<std::uint32_t> sizesOf(std::span<const std::uint32_t> groups);
/// The row of each group that comes first in an order that depends on values alone.
/// @param order rows in content order
/// @return ascending
std::vector<std::uint32_t> oneOfEach(std::span<const std::uint32_t> groups, std::span<const std::uint32_t> order);

/// Number of each row's group as a unit: rows without a group are units of their own.
std::vector<std::uint32_t> unitsByGroup(const ClassLabels& groups);

/// Which rows of a synthetic or a held-out set count as one sample: those of one group.
struct SampleUnits {
    /// Whether it is known which rows belong together. Where the real set has groups and this set has none, its rows
    /// may be several of one new group each: no test may take them as independent.
    bool areKnown = true;
    std::vector<std::uint32_t> unit; ///< per row: number of its unit; empty: every row stands for itself
    /// One row of each unit, ascending, chosen by its values alone; empty: all rows. Where units are unknown, a fourth
    /// of as many rows as there would be units if they were as large as the real ones: few of them belong together.
    std::vector<std::uint32_t> rows;

    /// Number of units in a set of so many rows.
    std::size_t count(std::size_t all) const noexcept { return rows.empty() ? all : rows.size(); }
    /// Per row of the set: whether it stands for its unit.
    std::vector<bool> stands(std::size_t all) const;
    /// The values of the rows that stand for their units.
    std::vector<double> of(std::vector<double> values) const;
};

/// @param set whole, if it or the real set has groups
SampleUnits sampleUnits(const EmbeddingSet& set, const RealPartition& real, const ComputeContext& context);

} // namespace assay

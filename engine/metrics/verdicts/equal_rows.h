#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"
#include "engine/data/equal_rows.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/verdicts/real_partition.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Whether the k-th neighbour of some row, counted from 1, is at distance 0.
bool hasZeroDistance(const NeighborTable& table, std::size_t k);

/// Per row of one set: how many other rows equal it. Both are empty where no statistic needs them.
struct EqualCounts {
    std::vector<std::uint32_t> inReal;      ///< rows of the real set, without the row itself
    std::vector<std::uint32_t> inSynthetic; ///< rows of the synthetic set, without the row itself
    std::vector<std::uint32_t> inOwn{};     ///< of held-out samples: rows of their own set, without the row itself
};

/// The counts of every set that verdicts are made from.
struct EqualRowCounts {
    EqualCounts ofReal;
    EqualCounts ofSynthetic;
    EqualCounts ofHeldOut; ///< empty without held-out samples
};

/// Counts the equal rows of sets that this process holds.
/// @param heldOut empty for none
/// @throws Cancelled
EqualRowCounts countEqualRows(MatrixView real, MatrixView synthetic, MatrixView heldOut, const ComputeContext& context);

/// Synthetic samples that equal a real row, beside what is natural: real rows that equal another one, and held-out
/// samples that equal a real row.
struct EqualToReal {
    std::size_t samples = 0; ///< synthetic samples that equal a real row
    std::size_t real = 0;    ///< real rows, one of each unit, that equal another one
    std::size_t ofReal = 0;  ///< units of the real set
    std::size_t heldOut = 0; ///< held-out samples that equal a real row
    std::size_t ofHeldOut = 0;
    double expectedPairs = 0.0; ///< pairs of equal real rows to be expected (RealPartition)
    bool isUntold = false; ///< duplicates were removed from the real set, and there is no held-out set: it says nothing
    bool isAccused = false; ///< surely more than natural, by rows and by groups of equal rows
    bool isImpossible =
        false; ///< nothing equals by nature, not within the model either, and chance would give fewer than 0.01 pairs
    bool namesSingles = false; ///< whether each equal sample may be called a copy
};

/// Compares the shares of equal rows by Fisher's exact test at 0.001, by rows and by groups of equal rows.
/// @param isEqual per synthetic sample: whether it equals a real row
/// @param falseDiscoveryRate of samples that are called copies for it
EqualToReal testEqualToReal(std::span<const std::uint8_t> isEqual, const EqualRowCounts& equal,
                            const RealPartition& partition, double falseDiscoveryRate);

/// The sets that verdicts are made from.
struct CountedSets {
    const EmbeddingSet& real;
    const EmbeddingSet& synthetic;
    const EmbeddingSet* heldOut; ///< null for none
};

/// Counts the equal samples of sets: from their rows if this process holds them all, else by searches that several
/// processes share. Both give the same counts.
/// @throws Cancelled
EqualRowCounts countEqualSamples(const CountedSets& sets, const NeighborSearch& search, const ComputeContext& context);

/// The same by searches alone: samples are equal if one lies in a ball of radius 0 around the other.
EqualRowCounts countEqualBySearch(const CountedSets& sets, const NeighborSearch& search, const JobContext& job);

} // namespace assay

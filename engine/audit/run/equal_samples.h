#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/verdicts/equal_rows.h"
#include "engine/neighbors/search/neighbor_search.h"

namespace assay {

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

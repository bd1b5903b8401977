#pragma once

#include "engine/base/compute_context.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <vector>

namespace assay {

struct RealAnalysis;

/// How much farther real samples are from another part of the real set than from their own: what a set as good as the
/// real one would score for coverage_ratio. The real set is split at random into a part that plays the synthetic set,
/// N M / (N + M) samples, and the rest, so that the parts' sizes are to each other as the sets' are: where data have
/// fewer dimensions than their embedding, distances shrink with the size of a set by another power than the entropy
/// term assumes, and only the same ratio brings the same shift. Several splits where one leaves few samples.
/// @param syntheticRows M
/// @param k of the audit
/// @param search finds neighbours that the real set's table does not list
/// @return v of every sample left, over all splits, in nats; none where a part would have too few samples for k
/// @throws Cancelled
std::vector<double> splitCoverageRatios(const RealAnalysis& real, std::size_t syntheticRows, std::size_t k,
                                        const NeighborSearch& search, const ComputeContext& context);

} // namespace assay

#pragma once

#include "engine/base/compute_context.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <vector>

namespace assay {

struct RealAnalysis;

/// Calibration values for the column coverage_ratio: what a synthetic set as good as the real set would score.
///
/// The real set is split at random. One part plays the synthetic set and has N M / (N + M) samples; the rest plays the
/// real set, so that the ratio of the part sizes is that of the set sizes M and N. The ratio must be equal because
/// distances shrink with the set size: if the data have fewer dimensions than their embedding, they shrink with another
/// power than the dimension of their embedding suggests, and only an equal ratio gives an equal shift. Several splits
/// are drawn if one split leaves few samples.
/// @param syntheticRows M
/// @param k ball size of the audit
/// @param search finds neighbours beyond the lists of the real set's table
/// @return coverage ratio of every sample of the rest, over all splits, in nats; empty if a part would have too few
/// samples: fewer than k, or, where M is many times N, fewer than 8 k that play the real set
/// @throws Cancelled
std::vector<double> splitCoverageRatios(const RealAnalysis& real, std::size_t syntheticRows, std::size_t k,
                                        const NeighborSearch& search, const ComputeContext& context);

} // namespace assay

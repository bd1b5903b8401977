#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/pairs/pair_handler.h"
#include "engine/neighbors/tree/point_tree.h"

namespace assay {

/// Rows whose pairs are proposed by trees of both.
struct TreeScan {
    const PairRows& rows; ///< some of either set
    double scale;         ///< unitScale() of both sets
};

/// Proposes pairs by trees that are built for it.
/// @param threads 0 for every core
/// @throws Cancelled; what the handler throws
void scanByTree(const TreeScan& scan, PairHandler& handler, unsigned threads, const JobContext& job);

/// Proposes pairs by trees of the queries and of the base rows. Places are rows of the trees' sets. The same tree may
/// not be given twice: within a set every row is near itself.
/// @throws Cancelled; what the handler throws
void scanTrees(const PointTree& queries, const PointTree& base, PairHandler& handler, unsigned threads,
               const JobContext& job);

} // namespace assay

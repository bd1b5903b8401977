#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/pairs/pair_handler.h"

namespace assay {

/// Rows whose pairs are proposed by trees of both.
struct TreeScan {
    const PairRows& rows; ///< some of either set
    double scale;         ///< unitScale() of both sets
};

/// @param threads 0 for every core
/// @throws Cancelled; what the handler throws
void scanByTree(const TreeScan& scan, PairHandler& handler, unsigned threads, const JobContext& job);

} // namespace assay

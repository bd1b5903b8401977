#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/products/pass_side.h"

namespace assay {

/// Runs all tiles of a pass. With `y` the same object as `x` every pair of different rows is computed once and serves
/// both of them.
void runTiles(PassSide& x, PassSide& y, unsigned threads, const JobContext& job);

} // namespace assay

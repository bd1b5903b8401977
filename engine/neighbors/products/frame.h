#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <initializer_list>
#include <vector>

namespace assay {

/// Largest magnitude of a set's values; 0 for none.
/// @param threads 0: all cores
/// @throws Cancelled
float largestMagnitude(MatrixView set, unsigned threads, const JobContext& job);

/// A shift and a power-of-two scale, common to all sets of a pass: centring shrinks norms (and with them every error),
/// scaling rules out overflow.
struct Frame {
    std::vector<float> centre; ///< dim values, scaled; any centre is right, a rough mean is good
    float scale = 1.0F;        ///< power of two; scaled coordinates are at most 1 in magnitude

    /// Mean of some rows of `base` as centre, scale from the largest magnitude of all sets.
    /// @throws Cancelled
    static Frame of(MatrixView base, std::initializer_list<MatrixView> sets, unsigned threads, const JobContext& job);
};

} // namespace assay

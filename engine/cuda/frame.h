#pragma once

#include "engine/data/matrix_view.h"
#include "engine/job/job_context.h"

#include <initializer_list>
#include <vector>

namespace assay::cuda {

/// A power-of-two scale and a shift, common to all sets of a pass: with them coordinates are at most 1 in magnitude,
/// and centring shrinks norms and with them every error.
struct Frame {
    std::vector<float> centre; ///< dim values, scaled; any centre is right, a rough mean is good
    double scale = 1.0;

    /// Centre from some rows of the first set, scale from the largest magnitude of all.
    static Frame of(std::initializer_list<MatrixView> sets, unsigned threads, const JobContext& job);
};

} // namespace assay::cuda

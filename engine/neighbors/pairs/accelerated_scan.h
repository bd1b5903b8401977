#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/pairs/pair_accelerator.h"
#include "engine/neighbors/pairs/pair_handler.h"
#include "engine/neighbors/products/frame.h"

namespace assay {

/// Rows whose pairs are proposed by an accelerator's products of integers.
struct AcceleratedScan {
    const PairRows& rows;
    const Frame& frame; ///< of both sets
    const PairAccelerator& accelerator;
};

/// Proposes pairs step by step. The ranges of places that the handler is
/// asked about are these steps, each of whole tiles of ProductScan, and all places from there to the end.
/// @param threads that make operands and serve the handler; 0 for every core
/// @return false, and nothing is proposed, if the accelerator declines
/// @throws Error{DeviceFailed}, Cancelled; what the handler throws
bool scanByAccelerator(const AcceleratedScan& scan, PairHandler& handler, unsigned threads, const JobContext& job);

} // namespace assay

#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/pairs/pair_accelerator.h"
#include "engine/neighbors/pairs/pair_handler.h"
#include "engine/neighbors/products/frame.h"
#include "engine/neighbors/products/product_bounds.h"

#include <cstddef>

namespace assay {

/// Rows whose pairs are proposed by blocked matrix products.
struct ProductScan {
    const PairRows& rows;
    const Frame& frame; ///< of both sets
    Precision precision;

    /// Base rows that share a limit: those of one tile.
    static constexpr std::size_t kTileColumns = 384;
};

/// Proposes pairs tile by tile; places of base rows ascend for each query. The ranges of places that the handler is
/// asked about are tiles, each from a multiple of kTileColumns on, and all places from there to the end.
/// @param threads 0 for every core
/// @throws Cancelled; what the handler throws
void scanByProducts(const ProductScan& scan, PairHandler& handler, unsigned threads, const JobContext& job);

/// The same by an accelerator's products of integers, in steps of several tiles that share a limit.
/// @param threads that make operands and serve the handler; 0 for every core
/// @return false, and nothing is proposed, if the accelerator declines
/// @throws Error{DeviceFailed}, Cancelled; what the handler throws
bool scanByAccelerator(const ProductScan& scan, const PairAccelerator& accelerator, PairHandler& handler,
                       unsigned threads, const JobContext& job);

} // namespace assay

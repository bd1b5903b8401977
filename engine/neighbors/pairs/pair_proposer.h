#pragma once

#include "engine/base/compute_context.h"
#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/pairs/pair_handler.h"
#include "engine/neighbors/products/frame.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <optional>

namespace assay {

/// Proposes pairs of rows of two sets to handlers: by blocked matrix products in many dimensions, where error bounds
/// exclude most pairs, on a graphics card where there is one, or by trees of blocks in few.
class PairProposer {
public:
    /// @param a, b two sets of one dimension, kept by reference; either may have the queries
    /// @param threads 0 for every core
    /// @param accelerator multiplies integers; if null, or if it declines, the CPU does. Kept
    /// @throws Error{InvalidArgument} for more columns than the bounds allow; Cancelled
    PairProposer(PairSearch search, MatrixView a, MatrixView b, unsigned threads, const JobContext& job,
                 const Accelerator* accelerator = nullptr);

    PairSearch search() const noexcept { return search_; }

    /// Hands all pairs to the handler that may matter to it. By products base rows come in the order of their places,
    /// by trees near ones first.
    /// @param precision of products; without it, the one that is expected to be faster
    /// @throws Cancelled; what the handler throws
    void propose(const PairRows& rows, PairHandler& handler, const JobContext& job,
                 std::optional<Precision> precision = std::nullopt) const;

private:
    PairSearch search_;
    unsigned threads_;
    const Accelerator* accelerator_;
    Frame frame_;        ///< for products
    double scale_ = 1.0; ///< for trees
};

} // namespace assay

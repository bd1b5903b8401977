#pragma once

#include "engine/base/compute_context.h"
#include "engine/base/job_context.h"
#include "engine/neighbors/pairs/pair_proposer.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/tree/point_tree.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace assay {

/// Products of integers of some rows with some columns, on an accelerator that keeps both. Used by one thread at a
/// time. Every function throws Error{DeviceFailed}.
class PairTiles {
public:
    using TakeHits = std::function<void(std::span<const PairHit>)>;

    PairTiles() = default;
    PairTiles(const PairTiles&) = delete;
    PairTiles& operator=(const PairTiles&) = delete;
    virtual ~PairTiles() = default;

    virtual void setRows(const ProductOperand& rows) = 0;
    virtual void setColumns(const ProductOperand& columns) = 0;

    /// Finds the pairs that the rows' limits admit and hands them over in parts, in no order, on the calling thread.
    /// @param limits one per row
    /// @throws Cancelled
    virtual void select(std::span<const PruningLimit> limits, const TakeHits& take, const JobContext& job) = 0;
};

/// Accelerator that selects pairs by products.
class PairAccelerator : public virtual Accelerator {
public:
    /// The most rows and columns that are set at a time, and their dimension.
    struct Shape {
        std::size_t rows;
        std::size_t columns;
        std::size_t dim;
    };

    /// @return null if the accelerator declines. The result must not outlive this accelerator.
    /// @throws Error{DeviceFailed}
    virtual std::unique_ptr<PairTiles> pairTiles(const Shape& shape) const = 0;
};

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

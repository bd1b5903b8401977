#pragma once

#include "engine/base/compute_context.h"
#include "engine/base/job_context.h"
#include "engine/neighbors/products/product_bounds.h"

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

} // namespace assay

#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/products/product_bounds.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace assay {

struct Range; // engine/neighbors/products/tile_product.h

/// Squared distances from rows to centres in float32, from matrix products, block of rows by block of rows. Those that
/// would lose their digits to cancellation are measured directly, so that equal rows are at no distance.
class SquaredDistances {
public:
    static constexpr std::size_t kBlock = 64; ///< rows whose distances one thread holds at a time

    /// @param rows N x d @param centres M x d; both outlive this object
    /// @throws Cancelled, std::bad_alloc
    SquaredDistances(MatrixView rows, MatrixView centres, unsigned threads, const JobContext& job);

    /// Calls take(row, squared distances to all centres) for every row, concurrently from several threads.
    /// @throws Cancelled, std::bad_alloc
    void each(const JobContext& job, const std::function<void(std::size_t, std::span<const float>)>& take) const;

private:
    static constexpr std::size_t kEdge = 384; ///< centres of one product

    void fill(std::size_t row, const float* products, const Range& columns, float* squared) const;

    MatrixView rows_;
    MatrixView centres_;
    unsigned threads_;
    Frame frame_;
    ProductOperand rowOperand_, centreOperand_;
    std::vector<double> rowNorm_, centreNorm_;
};

} // namespace assay

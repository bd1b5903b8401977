#pragma once

#include "engine/knn/product_bounds.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Rows [first, first + count) of a set.
struct Range {
    std::size_t first;
    std::size_t count;
};

/// Readies the library for products of this dimension: a lower precision chosen through its environment would break
/// the bounds. @throws Error{InvalidArgument} for more columns than the bounds allow
void prepareProducts(std::size_t dim);

/// Rows and columns of a tile: small enough that products and what is selected from them stay in the second-level cache
/// and that a stop request is seen in time.
std::size_t tileEdge(std::size_t dim);

/// One worker's tile of products, made by oneDNN on the calling thread.
class TileProduct {
public:
    /// All products of rows of x with rows of y ("columns"); both operands have the same precision and dimension.
    /// @throws std::bad_alloc; Error{InvalidArgument} when the library refuses
    void multiply(const ProductOperand& x, const Range& rows, const ProductOperand& y, const Range& columns);

    /// Row r of the last tile: `columns` products. Integers after a product of integers, floats after one of floats.
    const std::int32_t* integerRow(std::size_t r) const { return integers_.data() + r * columns_; }
    const float* singleRow(std::size_t r) const { return single_.data() + r * columns_; }

    /// Estimates of row r (engine/knn/product_bounds.h) for the operands and ranges of the last tile.
    void estimates(const ProductOperand& x, const Range& rows, const ProductOperand& y, const Range& columns,
                   std::size_t r, float* estimate) const;

private:
    std::size_t columns_ = 0;
    std::vector<std::int32_t> integers_;
    std::vector<float> single_;
};

/// Whether the library's integer products are exact on this processor. Some instruction sets add pairs of 8-bit
/// products in 16 bits and saturate; tried once.
bool integerProductsAreExact();

} // namespace assay

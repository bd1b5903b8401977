#pragma once

#include "engine/base/large_array.h"
#include "engine/neighbors/products/product_bounds.h"

#include <cstddef>
#include <cstdint>

namespace assay {

/// Rows [first, first + count) of a set.
struct Range {
    std::size_t first;
    std::size_t count;
};

/// Some rows of an operand. The operand outlives this.
struct OperandRows {
    const ProductOperand* operand = nullptr;
    Range range{0, 0};
};

/// Readies the library for products of this dimension: a lower precision chosen through its environment would break
/// the bounds. @throws Error{InvalidArgument} for more columns than the bounds allow
void prepareProducts(std::size_t dim);

/// Rows and columns of a tile: small enough that products and what is selected from them stay in the second-level cache
/// and that a stop request is seen in time.
std::size_t tileEdge(std::size_t dim);

/// One worker's tile of products, made on the calling thread: by oneDNN as a whole, or, of integers in few dimensions,
/// a few rows at a time when they are asked for, so that they are still in the first-level cache then.
class TileProduct {
public:
    /// All products of rows with other rows, the columns of the tile. Both operands have the same precision and
    /// dimension, and outlive the use of the tile.
    /// @throws std::bad_alloc; Error{InvalidArgument} when the library refuses
    void multiply(const OperandRows& rows, const OperandRows& columns);

    /// Row r of the last tile, valid until another is asked for: `columns` products. Integers after a product of
    /// integers, floats after one of floats. Quickest in ascending order.
    const std::int32_t* integerRow(std::size_t r);
    const float* singleRow(std::size_t r) const { return single_.data() + r * stride_; }

    /// Estimates of row r of the last tile (engine/neighbors/products/product_bounds.h), one for each column.
    void estimates(std::size_t r, float* estimate);

private:
    /// A tile that is made a strip of rows at a time.
    struct Strips {
        std::size_t vectors = 0;
        std::size_t at = 0;   ///< the tile's row that the strip begins with
        std::size_t made = 0; ///< rows of it
        LineVector<std::uint32_t> columns;
    };

    void multiplyWhole();
    void beginStrips();

    OperandRows x_, y_;                 ///< of the last tile
    std::size_t stride_ = 0;            ///< from one row of the tile to the next
    LineVector<std::int32_t> integers_; ///< the whole tile, or the strip
    LineVector<float> single_;
    LineVector<float> padded_; ///< few columns, and zeros behind them
    bool inStrips_ = false;
    Strips strips_;
};

/// Whether the library's integer products are exact on this processor. Some instruction sets add pairs of 8-bit
/// products in 16 bits and saturate; tried once.
bool integerProductsAreExact();

} // namespace assay

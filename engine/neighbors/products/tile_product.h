#pragma once

#include "engine/base/large_array.h"
#include "engine/neighbors/products/product_bounds.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

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

/// Limits that admit no pair, of as many rows as a tile has at most.
alignas(64) inline constexpr std::array<float, 512> kAdmitsNone = [] {
    std::array<float, 512> none{};
    none.fill(-std::numeric_limits<float>::infinity());
    return none;
}();

/// PruningLimits of a tile's rows or columns, one array each from the first of them on. They may fall while a tile is
/// gone through.
struct TileLimits {
    const float* reach = kAdmitsNone.data();
    const float* level = kAdmitsNone.data();

    bool admitNone() const noexcept { return level == kAdmitsNone.data(); }
};

/// Room for the pairs of one row of a tile that its limit, or those of the columns, admit.
class TileRoom {
public:
    TileHits& hits(std::size_t columns) {
        estimate_.resize(std::max(estimate_.size(), columns + 16));
        column_.resize(estimate_.size());
        hits_ = {estimate_.data(), column_.data(), 0};
        return hits_;
    }

private:
    std::vector<float> estimate_;
    std::vector<std::uint32_t> column_;
    TileHits hits_{};
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

    /// Selects the pairs of the last tile, row by row in ascending order: calls take(r, hits of the row, hits of the
    /// columns).
    template <typename Take>
    void select(const TileLimits& rows, const TileLimits& columns, const Take& take) {
        const TileColumns terms = beginSelection(rows, columns);
        TileHits& ofRow = rowRoom_.hits(terms.count);
        TileHits& ofColumns = columnRoom_.hits(terms.count);
        for (std::size_t r = 0; r < x_.range.count; ++r) {
            if (columns.admitNone() && rowMost_[r] == kAdmitsNone[0])
                continue;
            const TileRow row = x_.operand->tileRow(x_.range.first + r, rows.reach[r], rows.level[r], rowMost_[r]);
            if (x_.operand->precision() == Precision::Integer)
                tileKernels().selectInteger(integerRow(r), row, terms, ofRow, ofColumns);
            else
                tileKernels().selectSingle(singleRow(r), row, terms, ofRow, ofColumns);
            take(r, ofRow, ofColumns);
        }
    }

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
    TileColumns beginSelection(const TileLimits& rows, const TileLimits& columns);

    OperandRows x_, y_;                 ///< of the last tile
    std::size_t stride_ = 0;            ///< from one row of the tile to the next
    LineVector<std::int32_t> integers_; ///< the whole tile, or the strip
    LineVector<float> single_;
    LineVector<float> padded_; ///< few columns, and zeros behind them
    bool inStrips_ = false;
    Strips strips_;
    LineVector<float> rowMost_, columnMost_; ///< TileRow::most, TileColumns::most
    TileRoom rowRoom_, columnRoom_;
};

/// Whether the library's integer products are exact on this processor. Some instruction sets add pairs of 8-bit
/// products in 16 bits and saturate; tried once.
bool integerProductsAreExact();

} // namespace assay

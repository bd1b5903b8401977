#pragma once

#include "engine/neighbors/search/neighbor_table.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

/// Terms of one row of a tile of products for selection (engine/neighbors/products/product_bounds.h explains
/// the terms).
struct TileRow {
    float factor;   ///< -2 times the row's step
    float term;     ///< low estimate of the quantised row's squared norm
    float residual; ///< distance between the row and its quantised form, at most
    float offset;   ///< what the norm bound adds for this row
    float reach;    ///< of the row's limit, triangle bound
    float level;    ///< of the row's limit, norm bound
    float most;     ///< no estimate above this is admitted by the row's limit, whatever the tile's column
};

/// The same for the columns of a tile: one array each, `count` long.
struct TileColumns {
    const float* step;
    const float* term;
    const float* residual;
    const float* offset;
    const float* reach;
    const float* level;
    const float* most; ///< no estimate above this is admitted by the column's limit, whatever the tile's row
    std::size_t count;
};

/// Pairs of one tile row that a limit admits: estimates and columns, ascending by column.
struct TileHits {
    float* estimate;       ///< room for the tile's columns plus 16
    std::uint32_t* column; ///< likewise
    std::size_t count;
};

/// Rows of 8-bit integers (none of them -128), one after the other.
struct IntegerRows {
    const std::int8_t* values;
    const std::int32_t* sums; ///< of each row's integers
    std::size_t dim;          ///< integers of a row
};

/// Limits as PruningLimit has them (engine/neighbors/products/product_bounds.h): one array each, `count` long.
struct LimitArrays {
    const float* reach;
    const float* level;
    std::size_t count;
};

/// The largest residual and the smallest offset of some rows.
struct RowExtremes {
    float residual;
    float offset;
};

/// Columns of a strip as packStripColumns leaves them.
struct PackedColumns {
    const std::uint32_t* values;
    std::size_t vectors; ///< of 16 columns
};

/// Results of quantising one row.
struct QuantizedRow {
    float step;                   ///< the quantised row is step times the integers
    float squaredNorm;            ///< of the scaled row; relative error at most (dim / 16 + 16) * 2^-24
    float squaredResidual;        ///< of scaled row minus quantised row; likewise
    std::int32_t squaredIntegers; ///< sum of the squared integers, exact up to 133,000 of them
    std::int32_t sum;             ///< of the integers
};

/// The inner loops of the product search, compiled for several instruction sets. They only propose: what is found in
/// the end does not depend on how they round.
struct TileKernels {
    /// Pairs of one tile row, from the products' estimate E_j = fl(product[j] * (factor * step[j]) + (term + term[j])):
    /// those that the row's limit admits, E_j <= (reach + residual[j])^2 and E_j + offset[j] <= level, into rowHits;
    /// those that the column's limit admits, E_j <= (reach[j] + residual)^2 and E_j + offset <= level[j], into
    /// columnHits.
    void (*selectInteger)(const std::int32_t* product, const TileRow& row, const TileColumns& columns,
                          TileHits& rowHits, TileHits& columnHits);
    /// The same for products in single precision.
    void (*selectSingle)(const float* product, const TileRow& row, const TileColumns& columns, TileHits& rowHits,
                         TileHits& columnHits);

    /// The columns j of one tile row with E_j <= max(row.most, columns.most[j]), ascending: all that selectInteger
    /// would find, and a few more.
    /// @param near room for the tile's columns plus 16
    /// @return how many
    std::size_t (*selectNear)(const std::int32_t* product, const TileRow& row, const TileColumns& columns,
                              std::uint32_t* near);

    /// Exact inner products of one row of 8-bit integers with some rows of a tile.
    /// @param base from the tile's first row on
    /// @param columns numbers of rows of the tile
    /// @param product takes a result for each of them
    void (*integerProducts)(const std::int8_t* x, const IntegerRows& base, std::span<const std::uint32_t> columns,
                            std::int32_t* product);

    /// Readies rows of 8-bit integers to be the columns of a strip: as unsigned ones, 128 more than they are, four of
    /// 16 columns side by side, with zeros behind the last column and the last integer. Null, as multiplyStrip, where
    /// the instruction set has nothing for it.
    /// @param packed takes stripVectors(count) * ((dim + 3) / 4) vectors of 16
    void (*packStripColumns)(const IntegerRows& columns, std::size_t count, std::uint32_t* packed);
    /// Exact inner products of up to kStripRows rows of 8-bit integers with the packed columns.
    /// @param x of at most kMaxStripDims dimensions
    /// @param product takes 16 * vectors results for each of kStripRows rows; those behind the last row and the last
    /// column are undefined
    void (*multiplyStrip)(const IntegerRows& x, std::size_t rows, const PackedColumns& columns, std::int32_t* product);

    /// TileRow::most or TileColumns::most for these limits and other rows of these extremes.
    void (*findMost)(const LimitArrays& limits, const RowExtremes& others, float* most);

    /// E_j of one tile row, without selection.
    void (*estimateInteger)(const std::int32_t* product, const TileRow& row, const TileColumns& columns,
                            float* estimate);
    void (*estimateSingle)(const float* product, const TileRow& row, const TileColumns& columns, float* estimate);

    /// A value that at least k and, ties apart, not many more than k of `count` >= k values are at most: an upper bound
    /// on the k-th smallest, found by counting, several times faster than by partial sorting.
    float (*atLeastKthSmallest)(const float* values, std::size_t count, std::size_t k);

    /// Keeps the candidates whose estimate is at most `bound`, in their order. @return how many
    std::size_t (*keepAtMost)(Candidate* list, std::size_t count, float bound);

    /// scaled[c] = from[c] * scale - centre[c].
    void (*scaleRow)(const float* from, const float* centre, float scale, std::size_t dim, float* scaled);
    /// Rounds a scaled row to 8-bit integers of its own step, the largest magnitude becoming 127.
    QuantizedRow (*quantizeRow)(const float* scaled, std::size_t dim, std::int8_t* integers);
};

constexpr std::size_t kStripRows = 8;
constexpr std::size_t kMaxStripDims = 256;

/// Vectors of 16 that hold so many columns.
constexpr std::size_t stripVectors(std::size_t columns) noexcept {
    return (columns + 15) / 16;
}

/// The variant for the best instruction set that this processor has.
const TileKernels& tileKernels();

} // namespace assay

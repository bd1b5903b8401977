#pragma once

#include "engine/neighbors/products/product_bounds.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

/// Rows of two sets whose pairs are scanned by blocked matrix products. Views are kept by reference.
struct PairScan {
    MatrixView rows;                       ///< stored rows
    std::span<const std::uint32_t> row;    ///< of `rows`, in this order: a row's place is its index here
    MatrixView columns;                    ///< stored rows, of the same dimension
    std::span<const std::uint32_t> column; ///< of `columns`, in this order
    const Frame& frame;                    ///< of both sets
    Precision precision;

    /// Columns that share a limit: those of one tile.
    static constexpr std::size_t kTileColumns = 384;
};

/// Pairs of one row with columns of one tile that the row's limit admits.
struct ScannedPairs {
    std::size_t row;         ///< its place
    std::size_t firstColumn; ///< place of the tile's first column
    TileHits hits;           ///< columns count from firstColumn on, ascending
    const RowBounds& rowBounds;
    const ProductOperand& columns; ///< holds the tile's columns among others
    std::size_t firstInOperand;    ///< row of `columns` that is the tile's first column
    unsigned worker;               ///< of the loop that scans

    std::size_t column(std::size_t hit) const { return firstColumn + hits.column[hit]; }
    const RowBounds& columnBounds(std::size_t hit) const { return columns.bounds(firstInOperand + hits.column[hit]); }
    PairBounds bounds(std::size_t hit) const {
        return PairBounds::of(rowBounds, columnBounds(hit), hits.estimate[hit]);
    }
};

/// Says which pairs of a scan matter, and receives them. Different rows are served by different threads at once, each
/// row by one at a time.
class PairScanVisitor {
public:
    PairScanVisitor() = default;
    PairScanVisitor(const PairScanVisitor&) = delete;
    PairScanVisitor& operator=(const PairScanVisitor&) = delete;
    virtual ~PairScanVisitor() = default;

    /// Limit on the scaled squared distance of the row and the columns of the tile that begins at `firstColumn`; minus
    /// infinity where none of them matters.
    virtual float limit(std::size_t row, std::size_t firstColumn) const = 0;

    /// Whether any column from `firstColumn` on can matter to the row. Once false it stays so.
    virtual bool isOpen(std::size_t row, std::size_t firstColumn) const = 0;

    /// At least one pair. All pairs within the limit are among those handed over, and a few beyond it.
    virtual void take(const ScannedPairs& pairs, const JobContext& job) = 0;
};

/// Scans all pairs, tile by tile; columns ascend for each row.
/// @param threads 0 for every core
/// @throws Cancelled; what the visitor throws
void scanPairs(const PairScan& scan, PairScanVisitor& visitor, unsigned threads, const JobContext& job);

/// Integers where what they may be off by is a small share of the reach, tried on some rows of either set; else single
/// precision. `scan.precision` is ignored.
/// @param reach typical distance, in stored units, up to which pairs matter
Precision scanPrecision(const PairScan& scan, double reach);

} // namespace assay

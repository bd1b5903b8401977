#pragma once

#include "engine/base/job_context.h"
#include "engine/base/large_array.h"
#include "engine/data/matrix_view.h"
#include "engine/neighbors/products/tile_kernels.h"
#include "engine/neighbors/search/bounds.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

namespace assay {

/// Largest magnitude of a set's values; 0 for none.
/// @param threads 0: all cores
/// @throws Cancelled
float largestMagnitude(MatrixView set, unsigned threads, const JobContext& job);

/// A shift and a power-of-two scale, common to all sets of a pass: centring shrinks norms (and with them every error),
/// scaling rules out overflow.
struct Frame {
    std::vector<float> centre; ///< dim values, scaled; any centre is right, a rough mean is good
    float scale = 1.0F;        ///< power of two; scaled coordinates are at most 1 in magnitude

    /// Mean of some rows of `base` as centre, scale from the largest magnitude of all sets.
    /// @throws Cancelled
    static Frame of(MatrixView base, std::initializer_list<MatrixView> sets, unsigned threads, const JobContext& job);
};

/// Rows of a set by their numbers.
struct SomeRows {
    MatrixView set;
    std::span<const std::uint32_t> numbers;
};

/// One operand of the products, with the terms that turn a product into bounds on D, the squared distance of two stored
/// rows in scaled units (D * scale^2).
///
/// A row x (scaled and centred) is represented by x' = step * integers, or by x rounded to single precision. The
/// product of two representations, times step_x * step_y, gives the estimate E and bounds of D by the triangle
/// inequality (engine/neighbors/search/bounds.h), and a second one on either side, of which the better one holds:
///
///     E + offset_x + offset_y <= D <= E + above_x + above_y
///
/// This one is from |x|^2 + |y|^2 - 2 x.y with both norms known and |x.y - x'.y'| <= |x'| r_y + |y| r_x, each of the
/// two products split into a term per row: a b <= (rho a^2 + b^2 / rho) / 2.
/// Rounding is accounted for in engine/neighbors/search/bounds.h.
class ProductOperand {
public:
    static ProductOperand of(MatrixView set, const Frame& frame, Precision precision, unsigned threads,
                             const JobContext& job);
    /// Some rows of a set, in the order in which they are named.
    static ProductOperand of(const SomeRows& rows, const Frame& frame, Precision precision, unsigned threads,
                             const JobContext& job);

    /// Writes `count` scaled rows from row `first` on. Called by several workers at once.
    using RowSource = std::function<void(std::size_t first, std::size_t count, unsigned worker, float* scaled)>;
    /// Integers of rows that are made as they are needed, a few hundred at a time.
    static ProductOperand of(std::size_t rows, std::size_t dim, const RowSource& source, unsigned threads,
                             const JobContext& job);

    /// Evenly spaced rows of this operand, copied.
    ProductOperand sampled(std::size_t rows) const;

    /// Whether integer products of this dimension fit their accumulators.
    static bool integersFit(std::size_t dim) noexcept { return dim <= kMaxIntegerColumns; }

    std::size_t rows() const noexcept { return rows_; }
    std::size_t dim() const noexcept { return dim_; }
    Precision precision() const noexcept { return precision_; }

    const float* singleRow(std::size_t row) const noexcept { return single_.get() + row * dim_; }
    const std::int8_t* integerRow(std::size_t row) const noexcept { return integers_.get() + row * dim_; }

    /// The integers from row `first` on.
    IntegerRows integerRows(std::size_t first) const noexcept {
        return {integerRow(first), integerSum_.data() + first, dim_};
    }

    const RowBounds& bounds(std::size_t row) const noexcept { return bounds_[row]; }
    /// Terms of a row as the kernels read them; its limits and those of the columns are the caller's.
    TileRow tileRow(std::size_t row, float reach = 0.0F, float level = 0.0F, float most = 0.0F) const noexcept {
        return {-2.0F * step_[row], term_[row], residual_[row], offset_[row], reach, level, most};
    }
    /// Terms of the rows from `first` on as columns; the limits are given from the same row on.
    TileColumns tileColumns(std::size_t first, std::size_t count, const float* reach = nullptr,
                            const float* level = nullptr, const float* most = nullptr) const noexcept {
        return {step_.data() + first,
                term_.data() + first,
                residual_.data() + first,
                offset_.data() + first,
                reach,
                level,
                most,
                count};
    }
    RowExtremes extremes(std::size_t first, std::size_t count) const noexcept;
    float largestResidual() const noexcept { return largestResidual_; }
    float smallestOffset() const noexcept { return smallestOffset_; }

private:
    struct Norms;

    ProductOperand(std::size_t rows, std::size_t dim, Precision precision);

    void setBounds(std::size_t row, const Norms& norms);
    template <typename RowAt>
    void fill(RowAt rowAt, const Frame& frame, unsigned threads, const JobContext& job);
    void quantize(std::size_t row, const float* scaled);
    void keep(std::size_t row, const float* scaled);
    void findExtremes();

    std::size_t rows_ = 0;
    std::size_t dim_ = 0;
    Precision precision_ = Precision::Single;
    LargeArray<float> single_;         ///< rows x dim, or none
    LargeArray<std::int8_t> integers_; ///< rows x dim, or none
    LineVector<float> step_, term_, residual_, offset_;
    std::vector<std::int32_t> integerSum_; ///< or none
    std::vector<RowBounds> bounds_;
    float largestResidual_ = 0.0F;
    float smallestOffset_ = 0.0F;
};

/// Bounds on the scaled squared distance of a row of x and a row of y.
PairBounds boundsOf(const RowBounds& x, const RowBounds& y, float estimate);

/// Stored rows and operands of both sides of a pass, seen from one of them.
struct SearchSide {
    MatrixView queries; ///< stored rows
    MatrixView base;    ///< stored rows
    const ProductOperand* queryOperand;
    const ProductOperand* baseOperand;
    double scale = 1.0;           ///< of the frame
    std::uint32_t firstIndex = 0; ///< number of the base's first row: the base may be a block of a larger set

    /// Bounds on the squared distance of a pair, in the stored unit.
    PairBounds bounds(std::size_t query, std::size_t row, float estimate) const {
        const double unit = 1.0 / (scale * scale);
        const PairBounds scaled = boundsOf(queryOperand->bounds(query), baseOperand->bounds(row), estimate);
        return {scaled.low * unit, scaled.high * unit};
    }
};

/// The next float at or above a double, one step further up, so that bounds survive double rounding on either side.
float roundUp(double value);
/// The next float at or below a double, one step further down.
float roundDown(double value);
/// Sum of the squares of some values.
double squaredLength(const float* values, std::size_t count);

} // namespace assay

#include "engine/neighbors/products/tile_product.h"

#include "engine/base/error.h"
#include "engine/math/products/dense_product.h"

#include <dnnl.h>

#include <algorithm>
#include <string>

namespace assay {
void prepareProducts(std::size_t dim) {
    // The bounds need d * 2^-24 well below 1.
    constexpr std::size_t kMost = std::size_t{1} << 22;
    if (dim > kMost)
        throw Error(ErrorKind::InvalidArgument,
                    "expected at most " + std::to_string(kMost) + " columns, found " + std::to_string(dim));
    requireSinglePrecision();
}

std::size_t tileEdge(std::size_t dim) {
    // 384 leaves half of the second-level cache (1 MiB) to the lists beside a tile of products, at the speed of larger
    // ones; for very long rows less.
    std::size_t edge = 384;
    while (edge > 16 && edge * edge * dim > std::size_t{384} * 384 * 4096)
        edge /= 2;
    return edge;
}

void TileProduct::multiply(const OperandRows& rows, const OperandRows& columns) {
    constexpr std::size_t kMaxColumns = 512; // a strip of them takes 16 KiB
    x_ = rows;
    y_ = columns;
    const ProductOperand& x = *x_.operand;
    inStrips_ = x.precision() == Precision::Integer && tileKernels().multiplyStrip != nullptr &&
                x.dim() <= kMaxStripDims && columns.range.count <= kMaxColumns;
    if (inStrips_)
        beginStrips();
    else
        multiplyWhole();
}

void TileProduct::multiplyWhole() {
    const OneOpenMpThread alone;
    const ProductOperand& x = *x_.operand;
    const ProductOperand& y = *y_.operand;
    const auto& [firstRow, rows] = x_.range;
    const auto& [firstColumn, columns] = y_.range;
    const auto m = static_cast<dnnl_dim_t>(rows);
    const auto dim = static_cast<dnnl_dim_t>(x.dim());
    stride_ = columns;
    if (x.precision() == Precision::Integer) {
        const auto n = static_cast<dnnl_dim_t>(columns);
        const std::int32_t noOffset = 0;
        integers_.resize(std::max(integers_.size(), rows * columns));
        requireProduct(dnnl_gemm_s8s8s32('N', 'T', 'F', m, n, dim, 1.0F, x.integerRow(firstRow), dim, 0,
                                         y.integerRow(firstColumn), dim, 0, 0.0F, integers_.data(), n, &noOffset));
    } else {
        // For fewer columns the library would compile kernels of their own, once: as long as hundreds of tiles take,
        // unless rows are very long.
        constexpr std::size_t kFewestColumns = 128;
        constexpr std::size_t kMaxDims = 4096;
        const float* of = y.singleRow(firstColumn);
        if (columns < kFewestColumns && x.dim() <= kMaxDims) {
            padded_.assign(kFewestColumns * x.dim(), 0.0F);
            std::copy_n(of, columns * x.dim(), padded_.data());
            of = padded_.data();
            stride_ = kFewestColumns;
        }
        single_.resize(std::max(single_.size(), rows * stride_));
        const auto n = static_cast<dnnl_dim_t>(stride_);
        requireProduct(
            dnnl_sgemm('N', 'T', m, n, dim, 1.0F, x.singleRow(firstRow), dim, of, dim, 0.0F, single_.data(), n));
    }
}

void TileProduct::beginStrips() {
    const std::size_t dim = x_.operand->dim();
    const auto& [first, columns] = y_.range;
    strips_.vectors = stripVectors(columns);
    strips_.made = 0;
    strips_.columns.resize(std::max(strips_.columns.size(), strips_.vectors * 16 * ((dim + 3) / 4)));
    integers_.resize(std::max(integers_.size(), kStripRows * strips_.vectors * 16));
    tileKernels().packStripColumns(y_.operand->integerRows(first), columns, strips_.columns.data());
}

const std::int32_t* TileProduct::integerRow(std::size_t r) {
    if (!inStrips_)
        return integers_.data() + r * stride_;
    Strips& strips = strips_;
    if (r < strips.at || r >= strips.at + strips.made) {
        strips.at = r;
        strips.made = std::min(kStripRows, x_.range.count - r);
        tileKernels().multiplyStrip(x_.operand->integerRows(x_.range.first + r), strips.made,
                                    {strips.columns.data(), strips.vectors}, integers_.data());
    }
    return integers_.data() + (r - strips.at) * 16 * strips.vectors;
}

TileColumns TileProduct::beginSelection(const TileLimits& rows, const TileLimits& columns) {
    const auto& [firstRow, rowCount] = x_.range;
    const auto& [firstColumn, columnCount] = y_.range;
    // Limits fall while the tile is gone through: the largest estimates that they admitted before hold all the more.
    rowMost_.resize(std::max(rowMost_.size(), rowCount));
    tileKernels().findMost({rows.reach, rows.level, rowCount}, y_.operand->extremes(firstColumn, columnCount),
                           rowMost_.data());
    if (columns.admitNone())
        return y_.operand->tileColumns(firstColumn, columnCount, columns.reach, columns.level, kAdmitsNone.data());
    columnMost_.resize(std::max(columnMost_.size(), columnCount));
    tileKernels().findMost({columns.reach, columns.level, columnCount}, x_.operand->extremes(firstRow, rowCount),
                           columnMost_.data());
    return y_.operand->tileColumns(firstColumn, columnCount, columns.reach, columns.level, columnMost_.data());
}

void TileProduct::estimates(std::size_t r, float* estimate) {
    const TileRow row = x_.operand->tileRow(x_.range.first + r);
    const TileColumns terms = y_.operand->tileColumns(y_.range.first, y_.range.count);
    if (x_.operand->precision() == Precision::Integer)
        tileKernels().estimateInteger(integerRow(r), row, terms, estimate);
    else
        tileKernels().estimateSingle(singleRow(r), row, terms, estimate);
}

bool integerProductsAreExact() {
    static const bool exact = [] {
        constexpr dnnl_dim_t kRows = 48;
        constexpr dnnl_dim_t kDim = 256;
        // The extremes, with both signs: where anything saturates, these do.
        std::vector<std::int8_t> x(kRows * kDim);
        std::vector<std::int8_t> y(kRows * kDim);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = i % 3 == 0 ? -127 : 127;
            y[i] = i % 5 == 0 ? -127 : 127;
        }
        std::vector<std::int32_t> product(kRows * kRows);
        const std::int32_t noOffset = 0;
        const OneOpenMpThread alone;
        if (dnnl_gemm_s8s8s32('N', 'T', 'F', kRows, kRows, kDim, 1.0F, x.data(), kDim, 0, y.data(), kDim, 0, 0.0F,
                              product.data(), kRows, &noOffset) != dnnl_success)
            return false;
        for (std::size_t i = 0; i < kRows; ++i)
            for (std::size_t j = 0; j < kRows; ++j) {
                std::int32_t expected = 0;
                for (std::size_t c = 0; c < kDim; ++c)
                    expected += x[i * kDim + c] * y[j * kDim + c];
                if (product[i * kRows + j] != expected)
                    return false;
            }
        return true;
    }();
    return exact;
}

} // namespace assay

#include "engine/math/products/dense_product.h"

#include "engine/base/error.h"
#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/math/products/panels.h"

#include <dnnl.h>

#include <algorithm>
#include <new>
#include <omp.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

OneOpenMpThread::OneOpenMpThread() : before_(omp_get_max_threads()) {
    omp_set_num_threads(1);
}

OneOpenMpThread::~OneOpenMpThread() {
    omp_set_num_threads(before_);
}

void requireSinglePrecision() {
    dnnl_set_default_fpmath_mode(dnnl_fpmath_mode_strict);
}

void requireProduct(int status) {
    if (status == dnnl_out_of_memory)
        throw std::bad_alloc();
    if (status != dnnl_success)
        throw Error(ErrorKind::InvalidArgument,
                    "the matrix product failed: expected oneDNN status 0, found " + std::to_string(status));
}

void multiply(const FloatFactor& x, const FloatFactor& y, Into into, float* product) {
    const bool transposedX = x.use == FloatFactor::Use::Transposed;
    const bool transposedY = y.use == FloatFactor::Use::Transposed;
    const auto rows = static_cast<dnnl_dim_t>(transposedX ? x.columns : x.rows);
    const auto inner = static_cast<dnnl_dim_t>(transposedX ? x.rows : x.columns);
    const auto columns = static_cast<dnnl_dim_t>(transposedY ? y.rows : y.columns);
    const OneOpenMpThread alone;
    requireProduct(dnnl_sgemm(transposedX ? 'T' : 'N', transposedY ? 'T' : 'N', rows, columns, inner, 1.0F, x.data,
                              static_cast<dnnl_dim_t>(x.columns), y.data, static_cast<dnnl_dim_t>(y.columns),
                              into == Into::Add ? 1.0F : 0.0F, product, columns));
}

namespace {

constexpr std::size_t kWidth = kPanelWidth<double>; ///< vectors in a panel
constexpr std::size_t kColumns = kTileColumns<double>;
constexpr std::size_t kDepth = 256;              ///< elements packed at a time: three panels stay in cache
constexpr std::size_t kBlock = 4 * kColumns;     ///< rows and columns of the result in a task
constexpr std::size_t kRowsPerTask = 8 * kWidth; ///< that are packed

/// Elements [from, from + length) of an operand's vectors, in panels.
class Slice {
public:
    explicit Slice(const ProductVectors& vectors)
        : vectors_(vectors), panels_(panelsFor<double>(vectors.count)),
          values_(makeLargeArray<double>(panels_ * kWidth * std::min(kDepth, vectors.depth))) {}

    void pack(std::size_t from, std::size_t length, unsigned threads, const JobContext& job) {
        length_ = length;
        if (vectors_.are == ProductVectors::Are::Rows)
            packRows(from, threads, job);
        else
            packColumns(from, threads, job);
    }

    const double* panelOf(std::size_t vector) const { return values_.get() + vector / kWidth * kWidth * length_; }

private:
    void packRows(std::size_t from, unsigned threads, const JobContext& job) {
        parallelRanges(panels_ * kWidth, kRowsPerTask, threads, job,
                       [&](std::size_t first, std::size_t last, unsigned) {
                           std::vector<double> row(length_, 0.0);
                           for (std::size_t v = first; v < last; ++v) {
                               if (v < vectors_.count)
                                   vectors_.read(v, from, length_, row.data());
                               else
                                   std::ranges::fill(row, 0.0);
                               double* const to = values_.get() + v / kWidth * kWidth * length_ + v % kWidth;
                               for (std::size_t k = 0; k < length_; ++k)
                                   to[k * kWidth] = row[k];
                           }
                       });
    }

    void packColumns(std::size_t from, unsigned threads, const JobContext& job) {
        parallelRanges(length_, kRowsPerTask, threads, job, [&](std::size_t first, std::size_t last, unsigned) {
            std::vector<double> row(panels_ * kWidth, 0.0);
            for (std::size_t k = first; k < last; ++k) {
                vectors_.read(from + k, 0, vectors_.count, row.data());
                for (std::size_t p = 0; p < panels_; ++p)
                    std::copy_n(row.data() + p * kWidth, kWidth, values_.get() + (p * length_ + k) * kWidth);
            }
        });
    }

    const ProductVectors& vectors_;
    std::size_t panels_;
    LargeArray<double> values_;
    std::size_t length_ = 0;
};

/// First row and column of a block of the result.
using Block = std::pair<std::size_t, std::size_t>;

enum class Part { Whole, LowerTriangle };

std::vector<Block> blocksOf(std::size_t rows, std::size_t columns, Part part) {
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < rows; i += kBlock)
        for (std::size_t j = 0; j < (part == Part::Whole ? columns : i + 1); j += kBlock)
            blocks.emplace_back(i, j);
    return blocks;
}

/// Adds the products of a slice to a block of the result.
void addBlock(const Slice& left, const Slice& right, std::size_t length, const Block& block, DoubleMatrix& product) {
    alignas(64) double tile[kTileRows * kColumns];
    const auto [firstRow, firstColumn] = block;
    const std::size_t rows = std::min(product.rows, firstRow + kBlock);
    const std::size_t columns = std::min(product.columns, firstColumn + kBlock);
    for (std::size_t j = firstColumn; j < columns; j += kColumns)
        for (std::size_t i = firstRow; i < rows; i += kTileRows) {
            const double* const b = right.panelOf(j);
            multiplyPanels(Panels<double>{.depth = length,
                                          .chunk = length,
                                          .a = left.panelOf(i),
                                          .b = {b, b + kWidth * length, b + 2 * kWidth * length},
                                          .wanted = wantedPanels<double>(columns - j)},
                           tile);
            for (std::size_t v = 0; v < std::min(kTileRows, rows - i); ++v)
                for (std::size_t w = 0; w < std::min(kColumns, columns - j); ++w)
                    product.at(i + v, j + w) += tile[v * kColumns + w];
        }
}

/// @return zero outside the part's blocks
DoubleMatrix multiply(const ProductVectors& a, const ProductVectors& b, Part part, unsigned threads,
                      const JobContext& job) {
    static_assert(kWidth == kTileRows, "a tile's rows are one panel");
    const std::vector<Block> blocks = blocksOf(a.count, b.count, part);
    DoubleMatrix product(a.count, b.count);
    Slice left(a);
    std::optional<Slice> other;
    if (&a != &b)
        other.emplace(b);
    for (std::size_t from = 0; from < a.depth; from += kDepth) {
        const double done = static_cast<double>(from) / static_cast<double>(a.depth);
        const JobContext quiet = job.part({}, done, done);
        const std::size_t length = std::min(kDepth, a.depth - from);
        left.pack(from, length, threads, quiet);
        if (other)
            other->pack(from, length, threads, quiet);
        parallelFor(blocks.size(), threads, quiet, [&](std::size_t task, unsigned) {
            addBlock(left, other ? *other : left, length, blocks[task], product);
        });
    }
    return product;
}

} // namespace

ProductVectors rowsOf(const DoubleMatrix& matrix) {
    return {matrix.rows, matrix.columns, ProductVectors::Are::Rows,
            [&matrix](std::size_t row, std::size_t first, std::size_t length, double* to) {
                std::copy_n(matrix.row(row) + first, length, to);
            }};
}

ProductVectors rowsOf(MatrixView set, std::span<const double> mean, std::span<const double> scale) {
    return {set.rows, set.dim, ProductVectors::Are::Rows,
            [=](std::size_t row, std::size_t first, std::size_t length, double* to) {
                const float* from = set.rowData(row) + first;
                const double factor = scale.empty() ? 1.0 : scale[row];
                for (std::size_t k = 0; k < length; ++k)
                    to[k] = (static_cast<double>(from[k]) - mean[first + k]) * factor;
            }};
}

ProductVectors columnsOf(MatrixView set, std::span<const double> mean, std::span<const double> scale) {
    ProductVectors columns = rowsOf(set, mean, scale);
    std::swap(columns.count, columns.depth);
    columns.are = ProductVectors::Are::Columns;
    return columns;
}

DoubleMatrix productOf(const ProductVectors& a, const ProductVectors& b, unsigned threads, const JobContext& job) {
    if (a.depth != b.depth)
        throw Error(ErrorKind::InvalidArgument, "matrix product: expected vectors of " + std::to_string(a.depth) +
                                                    " elements, found " + std::to_string(b.depth));
    return multiply(a, b, Part::Whole, threads, job);
}

DoubleMatrix gramOf(const ProductVectors& a, unsigned threads, const JobContext& job) {
    return multiply(a, a, Part::LowerTriangle, threads, job);
}

} // namespace assay

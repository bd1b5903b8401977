#include "engine/math/products/dense_product.h"

#include "engine/base/error.h"
#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/math/products/one_blas_thread.h"

#include <algorithm>
#include <cblas.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kDepth = 512; // of a slice
constexpr std::size_t kBlock = kProductBlock;
constexpr std::size_t kRowsPerTask = 128; // that are read

/// Elements [from, from + length) of an operand's vectors, as they are stored.
class Slice {
public:
    explicit Slice(const ProductVectors& vectors)
        : vectors_(vectors), values_(makeLargeArray<double>(vectors.count * std::min(kDepth, vectors.depth))) {}

    void read(std::size_t from, std::size_t length, unsigned threads, const JobContext& job) {
        width_ = areRows() ? length : vectors_.count;
        const std::size_t rows = areRows() ? vectors_.count : length;
        parallelRanges(rows, kRowsPerTask, threads, job, [&](std::size_t first, std::size_t last, unsigned) {
            for (std::size_t r = first; r < last; ++r) {
                double* const to = values_.get() + r * width_;
                areRows() ? vectors_.read(r, from, width_, to) : vectors_.read(from + r, 0, width_, to);
            }
        });
    }

    bool areRows() const { return vectors_.are == ProductVectors::Are::Rows; }
    const double* vector(std::size_t v) const { return values_.get() + (areRows() ? v * width_ : v); }
    int width() const { return static_cast<int>(width_); }

private:
    const ProductVectors& vectors_;
    LargeArray<double> values_;
    std::size_t width_ = 0;
};

/// First row and column of a block of the result.
using Block = std::pair<std::size_t, std::size_t>;

std::vector<Block> allBlocks(std::size_t rows, std::size_t columns) {
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < rows; i += kBlock)
        for (std::size_t j = 0; j < columns; j += kBlock)
            blocks.emplace_back(i, j);
    return blocks;
}

/// @return zero outside the blocks
DoubleMatrix multiply(const ProductVectors& a, const ProductVectors& b, const std::vector<Block>& blocks,
                      unsigned threads, const JobContext& job) {
    requireOneBlasThread();
    DoubleMatrix product(a.count, b.count);
    const bool same = &a == &b;
    Slice left(a);
    std::optional<Slice> other;
    Slice& right = same ? left : other.emplace(b);
    for (std::size_t from = 0; from < a.depth; from += kDepth) {
        const double done = static_cast<double>(from) / static_cast<double>(a.depth);
        const JobContext quiet = job.part({}, done, done);
        const std::size_t length = std::min(kDepth, a.depth - from);
        left.read(from, length, threads, quiet);
        if (!same)
            right.read(from, length, threads, quiet);
        parallelFor(blocks.size(), threads, quiet, [&](std::size_t task, unsigned) {
            const auto [i, j] = blocks[task];
            cblas_dgemm(CblasRowMajor, left.areRows() ? CblasNoTrans : CblasTrans,
                        right.areRows() ? CblasTrans : CblasNoTrans, static_cast<int>(std::min(kBlock, a.count - i)),
                        static_cast<int>(std::min(kBlock, b.count - j)), static_cast<int>(length), 1.0, left.vector(i),
                        left.width(), right.vector(j), right.width(), 1.0, product.row(i) + j,
                        static_cast<int>(product.columns));
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
    return multiply(a, b, allBlocks(a.count, b.count), threads, job);
}

DoubleMatrix gramOf(const ProductVectors& a, unsigned threads, const JobContext& job) {
    std::vector<Block> blocks = allBlocks(a.count, a.count);
    std::erase_if(blocks, [](const Block& block) { return block.second > block.first; });
    return multiply(a, a, blocks, threads, job);
}

} // namespace assay

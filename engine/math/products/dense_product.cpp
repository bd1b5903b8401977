#include "engine/math/products/dense_product.h"

#include "engine/base/error.h"
#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/math/products/product_kernel.h"

#include <algorithm>
#include <optional>
#include <string>

namespace assay {
namespace {

// Three panels of this depth stay in the first cache, a task's panels of the other operand in the second.
constexpr std::size_t kDepth = 192;
constexpr std::size_t kPanelsPerTask = 8;

std::size_t ceilDivide(std::size_t a, std::size_t b) {
    return (a + b - 1) / b;
}

/// Loads some of `count` vectors whose elements lie side by side.
/// @param vector first element of vector r @param changed of an element, its vector and its place in it
template <typename Vector, typename Changed>
void loadRows(const ProductVectors::Piece& piece, std::size_t count, Vector vector, Changed changed, double* panel) {
    // A line of memory of every vector at a time, and of those that are likely asked for next: pieces are too short for
    // the processor to see what is coming.
    constexpr std::size_t kLine = 16;
    for (std::size_t first = 0; first < piece.length; first += kLine)
        for (std::size_t v = 0; v < piece.vectors; ++v) {
            const auto* next = vector(std::min(count - 1, piece.first + piece.width + v)) + piece.from;
            __builtin_prefetch(next + first);
            const auto* from = vector(piece.first + v) + piece.from;
            for (std::size_t k = first; k < std::min(piece.length, first + kLine); ++k)
                panel[k * piece.width + v] = changed(from[k], piece.first + v, piece.from + k);
        }
}

/// A slice of all vectors of an operand, in panels; what a panel has beyond the last vector is zero.
class PackedSlice {
public:
    explicit PackedSlice(const ProductVectors& vectors)
        : vectors_(vectors), panels_(ceilDivide(ceilDivide(vectors.count, kPanelWidth), kPanelsAtOnce) * kPanelsAtOnce),
          values_(makeLargeArray<double>(panels_ * kPanelWidth * kDepth)) {}

    std::size_t panels() const { return panels_; }
    const double* panel(std::size_t p) const { return values_.get() + p * kPanelWidth * kDepth; }

    void pack(std::size_t from, std::size_t length, unsigned threads, const JobContext& job) {
        parallelFor(ceilDivide(panels_, kPanelsPerTask), threads, job, [&](std::size_t task, unsigned) {
            for (std::size_t p = task * kPanelsPerTask; p < std::min(panels_, (task + 1) * kPanelsPerTask); ++p)
                packPanel(p, from, length);
        });
    }

private:
    void packPanel(std::size_t p, std::size_t from, std::size_t length) {
        double* to = values_.get() + p * kPanelWidth * kDepth;
        const std::size_t first = p * kPanelWidth;
        const std::size_t count = first < vectors_.count ? std::min(kPanelWidth, vectors_.count - first) : 0;
        if (count < kPanelWidth)
            std::fill_n(to, kPanelWidth * length, 0.0);
        if (count > 0)
            vectors_.load({first, count, from, length, kPanelWidth}, to);
    }

    const ProductVectors& vectors_;
    std::size_t panels_;
    LargeArray<double> values_;
};

/// One slice's share of the product.
struct SliceProduct {
    const PackedSlice& a;
    const PackedSlice& b;
    std::size_t rows, columns, length;
    double factor;
    ProductPart part;
    ProductTarget target;
    PanelKernel kernel;

    void addRows(std::size_t firstPanel, std::size_t lastPanel) const {
        double tile[kPanelWidth * kTileColumns];
        const std::size_t lastRow = std::min(rows, lastPanel * kPanelWidth);
        const std::size_t limit = part == ProductPart::Lower ? std::min(columns, lastRow) : columns;
        for (std::size_t j = 0; j < limit; j += kTileColumns) {
            const std::size_t q = j / kPanelWidth;
            const double* const panels[kPanelsAtOnce] = {b.panel(q), b.panel(q + 1), b.panel(q + 2)};
            for (std::size_t p = firstPanel; p < lastPanel; ++p) {
                if (part == ProductPart::Lower && j >= (p + 1) * kPanelWidth)
                    continue;
                kernel(length, a.panel(p), panels, tile);
                addTile(tile, p * kPanelWidth, j);
            }
        }
    }

private:
    void addTile(const double* tile, std::size_t i, std::size_t j) const {
        const std::size_t wide = std::min(kTileColumns, columns - j);
        for (std::size_t v = 0; v < std::min(kPanelWidth, rows - i); ++v) {
            double* to = target.data + (i + v) * target.stride + j;
            const std::size_t last =
                part == ProductPart::Lower ? std::min(wide, i + v + 1 > j ? i + v + 1 - j : 0) : wide;
            for (std::size_t w = 0; w < last; ++w)
                to[w] += factor * tile[v * kTileColumns + w];
        }
    }
};

} // namespace

ProductVectors rowsOf(const DoubleMatrix& matrix) {
    return {matrix.rows, matrix.columns, [&matrix](const ProductVectors::Piece& piece, double* panel) {
                loadRows(
                    piece, matrix.rows, [&](std::size_t r) { return matrix.row(r); },
                    [](double x, std::size_t, std::size_t) { return x; }, panel);
            }};
}

ProductVectors rowsOf(MatrixView set, std::span<const double> mean, std::span<const double> scale) {
    return {set.rows, set.dim, [=](const ProductVectors::Piece& piece, double* panel) {
                loadRows(
                    piece, set.rows, [&](std::size_t r) { return set.rowData(r); },
                    [&](float x, std::size_t r, std::size_t c) {
                        return (static_cast<double>(x) - mean[c]) * (scale.empty() ? 1.0 : scale[r]);
                    },
                    panel);
            }};
}

ProductVectors columnsOf(MatrixView set, std::span<const double> mean, std::span<const double> scale) {
    return {set.dim, set.rows, [=](const ProductVectors::Piece& piece, double* panel) {
                for (std::size_t k = 0; k < piece.length; ++k) {
                    const float* from = set.rowData(piece.from + k) + piece.first;
                    const double factor = scale.empty() ? 1.0 : scale[piece.from + k];
                    for (std::size_t v = 0; v < piece.vectors; ++v)
                        panel[k * piece.width + v] = (static_cast<double>(from[v]) - mean[piece.first + v]) * factor;
                }
            }};
}

void addProduct(const ProductVectors& a, const ProductVectors& b, double factor, ProductPart part, ProductTarget target,
                unsigned threads, const JobContext& job) {
    if (a.depth != b.depth)
        throw Error(ErrorKind::InvalidArgument, "matrix product: expected vectors of " + std::to_string(a.depth) +
                                                    " elements, found " + std::to_string(b.depth));
    const bool same = &a == &b;
    PackedSlice packedA(a);
    std::optional<PackedSlice> other;
    if (!same)
        other.emplace(b);
    PackedSlice& packedB = same ? packedA : *other;
    const std::size_t panels = ceilDivide(a.count, kPanelWidth);
    const std::size_t tasks = ceilDivide(panels, kPanelsPerTask);
    for (std::size_t from = 0; from < a.depth; from += kDepth) {
        const double done = static_cast<double>(from) / static_cast<double>(a.depth);
        const JobContext quiet = job.part({}, done, done);
        const std::size_t length = std::min(kDepth, a.depth - from);
        packedA.pack(from, length, threads, quiet);
        if (!same)
            packedB.pack(from, length, threads, quiet);
        const SliceProduct slice{packedA, packedB, a.count, b.count, length, factor, part, target, panelKernel()};
        // The last rows of a triangle are the longest: they go first, so that no worker is left with them.
        parallelFor(tasks, threads, quiet, [&](std::size_t task, unsigned) {
            const std::size_t first = (tasks - 1 - task) * kPanelsPerTask;
            slice.addRows(first, std::min(panels, first + kPanelsPerTask));
        });
    }
}

DoubleMatrix productOf(const ProductVectors& a, const ProductVectors& b, unsigned threads, const JobContext& job) {
    DoubleMatrix product(a.count, b.count);
    addProduct(a, b, 1.0, ProductPart::Whole, {product.values.data(), b.count}, threads, job);
    return product;
}

DoubleMatrix gramOf(const ProductVectors& a, unsigned threads, const JobContext& job) {
    DoubleMatrix product(a.count, a.count);
    addProduct(a, a, 1.0, ProductPart::Lower, {product.values.data(), a.count}, threads, job);
    return product;
}

} // namespace assay

#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/double_matrix.h"

#include <cstddef>
#include <functional>
#include <span>

namespace assay {

/// One operand of a product in double precision: `count` vectors of `depth` elements each, loaded piece by piece so
/// that a conversion (float32 rows less their mean) needs no copy of the whole.
struct ProductVectors {
    std::size_t count = 0;
    std::size_t depth = 0;
    /// Writes element from + k of vector first + v to panel[k * width + v], for v < vectors and k < length. Called from
    /// several threads at once.
    struct Piece {
        std::size_t first, vectors, from, length, width;
    };
    std::function<void(const Piece& piece, double* panel)> load;
};

/// The rows of a matrix as vectors. The matrix has to outlive the result, as in all of these.
ProductVectors rowsOf(const DoubleMatrix& matrix);

/// Each row r of a set as the vector (row - mean) * scale[r]. @param mean dim values @param scale rows values, or empty
/// for 1
ProductVectors rowsOf(MatrixView set, std::span<const double> mean, std::span<const double> scale = {});

/// Each column of a set as a vector, its rows changed in the same way.
ProductVectors columnsOf(MatrixView set, std::span<const double> mean, std::span<const double> scale = {});

/// Which part of a product is wanted. Lower: at least elements (i, j) with j <= i; what stands above is undefined.
enum class ProductPart { Whole, Lower };

/// Where a product goes: element (i, j) at data[i * stride + j].
struct ProductTarget {
    double* data = nullptr;
    std::size_t stride = 0;
};

/// Adds factor * (inner product of a's vector i and b's vector j) to element (i, j) of the target. The same to the last
/// bit for any number of threads.
/// @throws Error{InvalidArgument} when depths differ; Cancelled; std::bad_alloc
void addProduct(const ProductVectors& a, const ProductVectors& b, double factor, ProductPart part, ProductTarget target,
                unsigned threads = 0, const JobContext& job = {});

/// a's vectors by b's: a.count x b.count. @throws as addProduct
DoubleMatrix productOf(const ProductVectors& a, const ProductVectors& b, unsigned threads = 0,
                       const JobContext& job = {});

/// Inner products of the vectors among themselves: count x count, the lower triangle. @throws as addProduct
DoubleMatrix gramOf(const ProductVectors& a, unsigned threads = 0, const JobContext& job = {});

} // namespace assay

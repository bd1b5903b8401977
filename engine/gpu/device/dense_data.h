#pragma once

#include "engine/base/host_device.h"
#include "engine/layout/layout_step.h"

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

// Arguments of the dense kernels, as host and device see them. Pointers are into device memory.

/// Rows that are summed by themselves, one after the other; such sums are then added in the order of the rows. So no
/// sum depends on how many rows are in device memory at a time.
constexpr std::uint32_t kSliceRows = 512;

/// Columns of a Gram matrix that are multiplied with each other at once.
constexpr std::uint32_t kGramTile = 64;

ASSAY_HOST_DEVICE std::uint32_t slicesOf(std::uint32_t rows) {
    return (rows + kSliceRows - 1) / kSliceRows;
}

/// Tiles of the lower triangle of a Gram matrix.
ASSAY_HOST_DEVICE std::uint32_t gramTiles(std::uint32_t dim) {
    const std::uint32_t edge = (dim + kGramTile - 1) / kGramTile;
    return edge * (edge + 1) / 2;
}

/// Where a tile of the lower triangle stands: they are counted row by row.
ASSAY_HOST_DEVICE std::uint32_t gramTileRow(std::uint32_t tile) {
    return static_cast<std::uint32_t>((squareRoot(8.0 * tile + 1.0) - 1.0) / 2.0);
}

/// Rows x_r on their way into the Gram matrix of y_r = x_r * scale[r] - mean.
struct GramJob {
    const float* rows = nullptr;   ///< count x dim
    const double* scale = nullptr; ///< of these rows; null for 1
    const double* mean = nullptr;  ///< dim
    std::uint32_t count = 0;       ///< whole slices, but for the set's last rows
    std::uint32_t dim = 0;
    double* parts = nullptr;   ///< room for the slices' products: slices x tiles x kGramTile^2
    double* product = nullptr; ///< dim x dim, of which the lower triangle is added to
};

/// An element of y.
ASSAY_HOST_DEVICE double gramElement(float x, double scale, double mean) {
    return plus(times(static_cast<double>(x), scale), -mean);
}

/// One factor of a product: `count` vectors, of elements from one end of the depth to the other.
struct DenseVectors {
    const float* data = nullptr;
    std::uint32_t count = 0;
    std::uint32_t stride = 0; ///< from one row of the stored matrix to the next
    enum class Rows : std::uint8_t {
        Vectors, ///< of the stored matrix: element k of vector v at data[v * stride + k]
        Elements ///< element k of vector v at data[k * stride + v]
    } rows = Rows::Vectors;

    ASSAY_HOST_DEVICE float at(std::uint32_t vector, std::uint32_t element) const {
        const bool vectors = rows == Rows::Vectors;
        const std::size_t row = vectors ? vector : element;
        return data[row * stride + (vectors ? element : vector)];
    }
};

/// Inner products of every vector of x with every one of y in single precision, summed in the order of the elements.
struct ProductJob {
    DenseVectors x, y;
    std::uint32_t depth = 0;
    std::uint32_t slice = 0;  ///< elements that are summed by themselves; 0: all
    float* product = nullptr; ///< x.count x y.count; one after the other for each slice
    std::size_t partStride = 0;
    enum class After : std::uint8_t {
        Nothing,
        Rectify,      ///< what is negative becomes zero
        PassWhereLive ///< what belongs to elements of `live` that are not positive becomes zero
    } after = After::Nothing;
    const float* live = nullptr; ///< laid out like the product

    ASSAY_HOST_DEVICE std::uint32_t parts() const { return slice == 0 ? 1 : (depth + slice - 1) / slice; }
};

/// What becomes of an element of a product.
ASSAY_HOST_DEVICE float afterProduct(const ProductJob& job, std::size_t place, float value) {
    if (job.after == ProductJob::After::Rectify)
        return value < 0.0F ? 0.0F : value; // what is not a number stays so, and is seen in the loss
    if (job.after == ProductJob::After::PassWhereLive)
        return job.live[place] > 0.0F ? value : 0.0F;
    return value;
}

/// Turns images into the derivatives of their squared distances from (1, .., 1).
struct LossJob {
    float* images = nullptr; ///< rows x dim
    std::uint32_t rows = 0;
    std::uint32_t dim = 0;
    const std::uint8_t* heldBack = nullptr; ///< of these rows: those have no derivative
    float scale = 0.0F;                     ///< of the derivatives
    double* squared = nullptr;              ///< of these rows: the distances
};

/// Moves the rows of a layout.
struct LayoutJob {
    LayoutRound round;
    LayoutPosition* to = nullptr;
};

/// Adds the parts of a sum in their order.
struct PartsJob {
    const float* parts = nullptr; ///< one after the other, `count` values each
    std::uint32_t number = 0;
    std::size_t count = 0;
    float* sum = nullptr;
};

} // namespace assay::cuda

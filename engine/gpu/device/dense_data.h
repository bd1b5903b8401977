#pragma once

#include "engine/base/host_device.h"
#include "engine/layout/layout_step.h"

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

// Arguments of the dense kernels, shared by host and device. Pointers are into device memory.

/// Rows of a slice. Sums over rows are computed slice by slice, and the slices' sums added in the order of the rows: no
/// sum depends on how many rows are in device memory at a time.
constexpr std::uint32_t kSliceRows = 512;

/// Edge of a tile of a Gram matrix, in columns.
constexpr std::uint32_t kGramTile = 64;

ASSAY_HOST_DEVICE std::uint32_t slicesOf(std::uint32_t rows) {
    return (rows + kSliceRows - 1) / kSliceRows;
}

/// Number of tiles in the lower triangle of a Gram matrix.
ASSAY_HOST_DEVICE std::uint32_t gramTiles(std::uint32_t dim) {
    const std::uint32_t edge = (dim + kGramTile - 1) / kGramTile;
    return edge * (edge + 1) / 2;
}

/// Row of a tile of the lower triangle; tiles are numbered row by row.
ASSAY_HOST_DEVICE std::uint32_t gramTileRow(std::uint32_t tile) {
    return static_cast<std::uint32_t>((squareRoot(8.0 * tile + 1.0) - 1.0) / 2.0);
}

/// Adds the rows x_r to the Gram matrix of y_r = x_r * scale[r] - mean.
struct GramJob {
    const float* rows = nullptr;   ///< count x dim
    const double* scale = nullptr; ///< of these rows; null for 1
    const double* mean = nullptr;  ///< dim
    std::uint32_t count = 0;       ///< multiple of kSliceRows, except for the set's last rows
    std::uint32_t dim = 0;
    double* parts = nullptr;   ///< scratch memory: slices x tiles x kGramTile^2
    double* product = nullptr; ///< dim x dim, of which the lower triangle is added to
};

/// An element of y.
ASSAY_HOST_DEVICE double gramElement(float x, double scale, double mean) {
    return plus(times(static_cast<double>(x), scale), -mean);
}

/// One factor of a product: `count` vectors of `depth` elements.
struct DenseVectors {
    const float* data = nullptr;
    std::uint32_t count = 0;
    std::uint32_t stride = 0; ///< columns of the stored matrix
    enum class Layout : std::uint8_t {
        VectorsAreRows,   ///< element k of vector v at data[v * stride + k]
        VectorsAreColumns ///< element k of vector v at data[k * stride + v]
    } layout = Layout::VectorsAreRows;

    ASSAY_HOST_DEVICE float at(std::uint32_t vector, std::uint32_t element) const {
        const bool vectors = layout == Layout::VectorsAreRows;
        const std::size_t row = vectors ? vector : element;
        return data[row * stride + (vectors ? element : vector)];
    }
};

/// Inner products of every vector of x with every one of y in single precision, summed in the order of the elements.
struct ProductJob {
    DenseVectors x, y;
    std::uint32_t depth = 0;
    std::uint32_t slice = 0;    ///< elements of a partial product; 0: all
    float* product = nullptr;   ///< x.count x y.count for each slice
    std::size_t partStride = 0; ///< from one slice's product to the next
    enum class Epilogue : std::uint8_t {
        None,
        Relu,            ///< negative elements become zero
        MaskByActivation ///< zero where `activation` is not positive: the derivative of a ReLU
    } after = Epilogue::None;
    const float* activation = nullptr; ///< laid out like the product

    ASSAY_HOST_DEVICE std::uint32_t parts() const { return slice == 0 ? 1 : (depth + slice - 1) / slice; }
};

/// Applies a product's epilogue to one element.
ASSAY_HOST_DEVICE float withEpilogue(const ProductJob& job, std::size_t place, float value) {
    if (job.after == ProductJob::Epilogue::Relu)
        return value < 0.0F ? 0.0F : value; // keeps NaN, which shows in the loss
    if (job.after == ProductJob::Epilogue::MaskByActivation)
        return job.activation[place] > 0.0F ? value : 0.0F;
    return value;
}

/// Replaces the network's outputs by the derivatives of their squared distances from (1, .., 1).
struct LossJob {
    float* images = nullptr; ///< rows x dim
    std::uint32_t rows = 0;
    std::uint32_t dim = 0;
    const std::uint8_t* heldBack = nullptr; ///< per row: validation rows, whose derivatives are zero
    float scale = 0.0F;                     ///< of the derivatives
    double* squared = nullptr;              ///< per row: the squared distance
};

/// One round of a layout.
struct LayoutJob {
    LayoutRound round;
    LayoutPosition* to = nullptr;
};

/// Adds partial sums to `sum` in their order.
struct PartsJob {
    const float* parts = nullptr; ///< one after the other, `count` values each
    std::uint32_t number = 0;
    std::size_t count = 0;
    float* sum = nullptr;
};

} // namespace assay::cuda

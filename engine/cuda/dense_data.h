#pragma once

#include "engine/cuda/host_device.h"

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

// What the steps of dense work are told, as host and device see it. Pointers are into device memory.

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

} // namespace assay::cuda

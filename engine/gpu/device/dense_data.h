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

/// One round of a layout.
struct LayoutJob {
    LayoutRound round;
    LayoutPosition* to = nullptr;
};

} // namespace assay::cuda

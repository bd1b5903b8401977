#pragma once

#include "engine/demo/drawing.h"

#include <array>
#include <cstddef>

namespace assay::demo {

inline constexpr std::size_t kCellsAcross = 4;
inline constexpr std::size_t kEmbeddingDim = kCellsAcross * kCellsAcross * 4;

/// The demo's embedding, computed from the pixels alone: for each of 4 x 4 cells the mean red, green and blue in [0,
/// 1], and the edge energy, the root mean square of the brightness steps to the right and downwards in units of the
/// full range, times kEdgeWeight. Integer sums and one correctly rounded root: the same bytes on every machine.
std::array<float, kEmbeddingDim> embedPicture(const Picture& picture);

/// Weight of the edges beside the colours.
inline constexpr double kEdgeWeight = 1.5;

} // namespace assay::demo

#pragma once

#include "engine/demo/drawing.h"

#include <array>
#include <cstddef>

namespace assay::demo {

inline constexpr std::size_t kCellsAcross = 4;
inline constexpr std::size_t kEmbeddingDim = kCellsAcross * kCellsAcross * 4;

/// The demo's embedding, computed from the pixels. Each of 4 x 4 cells has four values: mean red, green and blue in [0,
/// 1], and the edge energy times kEdgeWeight. The edge energy is the root mean square of the brightness differences to
/// the right and downwards, in units of the full range. Uses integer sums and one correctly rounded square root, so the
/// result is identical on every machine.
/// @return kEmbeddingDim values
std::array<float, kEmbeddingDim> embedPicture(const Picture& picture);

/// Weight of the edge energy relative to the colours.
inline constexpr double kEdgeWeight = 1.5;

} // namespace assay::demo

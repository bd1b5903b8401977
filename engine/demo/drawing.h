#pragma once

#include "engine/base/random.h"
#include "engine/demo/recipe.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace assay::demo {

inline constexpr std::size_t kPictureSide = 32;
inline constexpr std::size_t kPictureBytes = kPictureSide * kPictureSide * 3;

/// One picture: 32 x 32 RGB, interleaved, 8 bits per channel.
using Picture = std::array<std::uint8_t, kPictureBytes>;

/// Draws one picture of a class; its properties vary randomly around the class's averages.
/// @param spread factor on the variation: 1 for that of the recipe, less for pictures closer to the average
Picture drawPicture(const ClassRecipe& recipe, double spread, Random& random);

/// Coloured noise: independent pixels around a random mean colour.
Picture drawNoise(Random& random);

/// The picture with every channel changed at random by at most `levels` of 255.
Picture withNoise(const Picture& picture, int levels, Random& random);

/// The picture after `passes` passes of a 1-2-1 filter in both directions.
Picture blurred(const Picture& picture, std::size_t passes);

inline constexpr std::size_t kCellsAcross = 4;
inline constexpr std::size_t kEmbeddingDim = kCellsAcross * kCellsAcross * 4;

/// The demo's embedding, computed from the pixels. Each of 4 x 4 cells has four values: mean red, green and blue in [0,
/// 1], and the edge energy times kEdgeWeight. The edge energy is the root mean square of the brightness differences to
/// the right and downwards, in units of the full range. Uses integer sums and one correctly rounded square root, so the
/// result is identical on every machine.
/// @return kEmbeddingDim values
std::array<float, kEmbeddingDim> embedPicture(const Picture& picture);

} // namespace assay::demo

#pragma once

#include "engine/base/random.h"
#include "engine/demo/recipe.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace assay::demo {

inline constexpr std::size_t kPictureSide = 32;
inline constexpr std::size_t kPictureBytes = kPictureSide * kPictureSide * 3;

/// One picture: 32 x 32 RGB, interleaved, 8 bits a channel.
using Picture = std::array<std::uint8_t, kPictureBytes>;

/// Draws one picture of a class with properties drawn about the class's averages.
/// @param spread 1 for the recipe's own variety, less for pictures closer to the average
Picture drawPicture(const ClassRecipe& recipe, double spread, Random& random);

/// Coloured noise: every pixel by itself, about a random mean colour.
Picture drawNoise(Random& random);

/// The picture with every channel changed by at most `levels`.
Picture withNoise(const Picture& picture, int levels, Random& random);

/// The picture after `passes` of a 1-2-1 filter both ways.
Picture blurred(const Picture& picture, std::size_t passes);

} // namespace assay::demo

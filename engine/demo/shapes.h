#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::demo {

/// A point in the coordinates of a shape: the shape is roughly centred at 0 and has a radius of about 1; y points down.
struct Point {
    double x = 0.0;
    double y = 0.0;
};

/// The classes of the demo, in the order of kClasses (recipe.h).
enum class Shape : std::uint8_t { Disc, Ring, Square, Triangle, Star, Cross, Crescent, Heart };
inline constexpr std::size_t kShapeCount = 8;

/// Signed distance from the outline of a shape, negative inside, in the units of Point. Uses only operations that IEEE
/// 754 rounds correctly (no sine, no power), so the value is identical on every machine.
/// Source: formulas after Inigo Quilez, "2D distance functions".
double signedDistance(Shape shape, Point p);

} // namespace assay::demo

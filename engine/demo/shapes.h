#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::demo {

/// A point in a shape's own frame: the shape is about centred and reaches about 1 from the centre, y points down.
struct Point {
    double x = 0.0;
    double y = 0.0;
};

/// The classes of the demo, in the order of kClasses (recipe.h).
enum class Shape : std::uint8_t { Disc, Ring, Square, Triangle, Star, Cross, Crescent, Heart };
inline constexpr std::size_t kShapeCount = 8;

/// Signed distance from the outline of a shape, negative inside, in units of the shape's frame. Uses only operations
/// that IEEE 754 rounds correctly (no sine, no power), so that the value is the same on every machine.
/// Formulas after Inigo Quilez, "2D distance functions".
double signedDistance(Shape shape, Point p);

} // namespace assay::demo

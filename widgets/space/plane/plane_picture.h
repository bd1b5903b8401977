#pragma once

#include "widgets/space/drawing/space_drawing.h"
#include "widgets/space/plane/plane_density.h"

#include <QColor>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

class QPalette;

namespace assay::space {

/// What is drawn of the densities on the plane.
enum class MapKind {
    None,
    RealDensity, ///< the real set's, under the points
    Difference,  ///< where the model has too much and too little, over the points
};

/// A map as it is drawn: a picture of one pixel per cell, and the levels of its contours.
struct PlaneMap {
    std::shared_ptr<const PlaneDensity> density; ///< null: nothing to draw
    MapKind kind = MapKind::None;
    std::vector<std::array<std::uint8_t, 4>> pixels; ///< red, green, blue, opacity; the lowest row first
    QColor contours;
};

/// The ratio of densities that has the strongest colour: so many times as much, or as little.
inline constexpr double kStrongestRatio = 8.0;

/// How strongly a difference is coloured, from -1 (far too few synthetic samples) to 1 (far too many): the log ratio, 0
/// where it is below two standard errors and might be chance, whole from four.
double differenceStrength(const DensityMap& map, std::size_t cell);

PlaneMap planeMap(std::shared_ptr<const PlaneDensity> density, MapKind kind, const QPalette& palette);

} // namespace assay::space

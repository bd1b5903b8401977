#include "widgets/space/plane/plane_picture.h"

#include "widgets/common/colors.h"

#include <QPalette>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::space {
namespace {

std::array<std::uint8_t, 4> pixelOf(const QColor& color, double opacity) {
    const Rgb rgb = toRgb(color);
    return {rgb[0], rgb[1], rgb[2], static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(opacity, 0.0, 1.0)))};
}

/// A layer for each contour that encloses the cell.
std::array<std::uint8_t, 4> densityPixel(const PlaneDensity& density, std::size_t cell, const QColor& color) {
    constexpr double kLayer = 0.13;
    const float value = density.map.real[cell];
    const auto layers =
        std::ranges::count_if(density.levels, [&](float level) { return level > 0.0F && value >= level; });
    return pixelOf(color, kLayer * static_cast<double>(layers));
}

} // namespace

double differenceStrength(const DensityMap& map, std::size_t cell) {
    constexpr double kByChance = 2.0;
    constexpr double kCertain = 4.0;
    const double errors = std::abs(static_cast<double>(map.certainty[cell]));
    const double certain = std::clamp((errors - kByChance) / (kCertain - kByChance), 0.0, 1.0);
    return std::clamp(static_cast<double>(map.logRatio[cell]) / std::log(kStrongestRatio), -1.0, 1.0) * certain;
}

PlaneMap planeMap(std::shared_ptr<const PlaneDensity> density, MapKind kind, const QPalette& palette) {
    PlaneMap map;
    map.kind = density ? kind : MapKind::None;
    if (map.kind == MapKind::None)
        return map;
    map.contours = colors::real(palette);
    map.pixels.resize(density->map.grid.cells());
    for (std::size_t cell = 0; cell < map.pixels.size(); ++cell) {
        if (kind == MapKind::RealDensity) {
            map.pixels[cell] = densityPixel(*density, cell, colors::real(palette));
            continue;
        }
        const double strength = differenceStrength(density->map, cell);
        // What lies below is to be seen where the difference is small.
        map.pixels[cell] = pixelOf(colors::difference(strength, palette), 0.9 * std::sqrt(std::abs(strength)));
    }
    map.density = std::move(density);
    return map;
}

} // namespace assay::space

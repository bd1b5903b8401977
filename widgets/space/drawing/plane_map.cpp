#include "widgets/space/drawing/plane_map.h"

#include "widgets/common/colors.h"

#include <QPalette>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {

std::shared_ptr<const PlaneDensity> planeDensity(const DensityRequest& request, const JobContext& job) {
    auto density = std::make_shared<PlaneDensity>();
    density->request = request;
    const std::array<PlanePoints, 2> points{PlanePoints{request.points->real, request.shown[0].get()},
                                            PlanePoints{request.points->synthetic, request.shown[1].get()}};
    density->map = densityMap(points[0], points[1], request.grid, 0, job);
    density->levels = densityLevels(density->map.real, PlaneDensity::kShares);
    for (std::size_t i = 0; i < points.size() && density->regions.empty(); ++i)
        if (request.sets[i])
            density->regions = namedRegions(density->map, points[i], request.sets[i]->labels());
    return density;
}

namespace space {
namespace {

/// A layer for each contour that encloses the cell.
QColor densityColor(const PlaneDensity& density, std::size_t cell, QColor color) {
    constexpr float kLayer = 0.13F;
    const float value = density.map.real[cell];
    color.setAlphaF(kLayer * static_cast<float>(std::ranges::count_if(
                                 density.levels, [&](float level) { return level > 0.0F && value >= level; })));
    return color;
}

/// The log ratio from -1 to 1: 0 where it is below two standard errors and might be chance, whole from four.
double differenceStrength(const DensityMap& map, std::size_t cell) {
    constexpr double kByChance = 2.0;
    constexpr double kCertain = 4.0;
    const double errors = std::abs(static_cast<double>(map.certainty[cell]));
    const double certain = std::clamp((errors - kByChance) / (kCertain - kByChance), 0.0, 1.0);
    return std::clamp(static_cast<double>(map.logRatio[cell]) / std::log(kStrongestRatio), -1.0, 1.0) * certain;
}

} // namespace

QColor differenceColor(double strength, const QPalette& palette) {
    QColor color = colors::difference(strength, palette);
    color.setAlphaF(static_cast<float>(0.9 * std::sqrt(std::abs(strength))));
    return color;
}

std::shared_ptr<const PlaneMap> planeMap(std::shared_ptr<const PlaneDensity> density, MapKind kind,
                                         const QPalette& palette) {
    auto map = std::make_shared<PlaneMap>();
    map->kind = kind;
    map->contours = colors::real(palette);
    map->pixels.resize(density->map.grid.cells());
    for (std::size_t cell = 0; cell < map->pixels.size(); ++cell) {
        const QColor color = kind == MapKind::RealDensity
                                 ? densityColor(*density, cell, map->contours)
                                 : differenceColor(differenceStrength(density->map, cell), palette);
        std::ranges::transform(std::array{color.red(), color.green(), color.blue(), color.alpha()},
                               map->pixels[cell].begin(), [](int value) { return static_cast<std::uint8_t>(value); });
    }
    map->density = std::move(density);
    return map;
}

} // namespace space
} // namespace assay

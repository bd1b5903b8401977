#pragma once

#include "engine/layout/density_map.h"
#include "engine/report/space/space_points.h"

#include <QColor>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

class QPalette;

namespace assay {

/// Points whose density is wanted.
struct DensityRequest {
    std::shared_ptr<const SpacePoints> points;                     ///< on the plane
    std::array<std::shared_ptr<const std::vector<bool>>, 2> shown; ///< real, synthetic: per point; null: all
    PlaneGrid grid;
    /// Real, synthetic: the classes of the first one that has some name regions; null: no names.
    std::array<std::shared_ptr<const EmbeddingSet>, 2> sets{};

    friend bool operator==(const DensityRequest&, const DensityRequest&) = default;
};

/// The density of both sets on the plane, and what it is of.
struct PlaneDensity {
    /// Shares of the real samples that its contours enclose.
    static constexpr std::array<double, 4> kShares{0.25, 0.5, 0.75, 0.95};

    DensityRequest request;
    DensityMap map;
    std::vector<float> levels;        ///< of the real set's density, one per share
    std::vector<PlaneRegion> regions; ///< by class; the largest first
};

/// For any thread. Two sets of a million take less than a tenth of a second on two cores.
/// @throws Cancelled
std::shared_ptr<const PlaneDensity> planeDensity(const DensityRequest& request, const JobContext& job);

namespace space {

/// What is drawn of the densities on the plane.
enum class MapKind {
    None,
    RealDensity, ///< the real set's, under the points
    Difference,  ///< where the model has too much and too little, over the points
};

/// A map as it is drawn: a picture of one pixel per cell, and contours of the real set's density.
struct PlaneMap {
    std::shared_ptr<const PlaneDensity> density;
    MapKind kind = MapKind::None;
    std::vector<std::array<std::uint8_t, 4>> pixels; ///< red, green, blue, opacity; the lowest row first
    QColor contours;
};

/// The ratio of densities that has the strongest colour: so many times as much, or as little.
inline constexpr double kStrongestRatio = 8.0;

/// Colour of a difference from -1 (far too few synthetic samples) to 1 (far too many); clear where it is small.
QColor differenceColor(double strength, const QPalette& palette);

/// @param density, kind not None
std::shared_ptr<const PlaneMap> planeMap(std::shared_ptr<const PlaneDensity> density, MapKind kind,
                                         const QPalette& palette);

} // namespace space
} // namespace assay

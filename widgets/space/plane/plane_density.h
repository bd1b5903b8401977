#pragma once

#include "engine/layout/density_map.h"
#include "widgets/link/space_points.h"

#include <array>
#include <memory>
#include <vector>

namespace assay {

/// Points whose density is wanted.
struct DensityRequest {
    std::shared_ptr<const SpacePoints> points;                     ///< on the plane
    std::array<std::shared_ptr<const std::vector<bool>>, 2> shown; ///< real, synthetic: per point; null: all
    PlaneGrid grid;

    friend bool operator==(const DensityRequest&, const DensityRequest&) = default;
};

/// The density of both sets on the plane, and what it is of.
struct PlaneDensity {
    /// Shares of the real samples that its contours enclose.
    static constexpr std::array<double, 4> kShares{0.25, 0.5, 0.75, 0.95};

    DensityRequest request;
    DensityMap map;
    std::vector<float> levels; ///< of the real set's density, one per share
};

/// Computes what is wanted; for any thread. Two sets of a million take less than a tenth of a second on two cores.
/// @throws Cancelled
std::shared_ptr<const PlaneDensity> planeDensity(const DensityRequest& request, const JobContext& job);

} // namespace assay

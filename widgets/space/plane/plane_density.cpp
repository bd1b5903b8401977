#include "widgets/space/plane/plane_density.h"

namespace assay {

std::shared_ptr<const PlaneDensity> planeDensity(const DensityRequest& request, const JobContext& job) {
    auto density = std::make_shared<PlaneDensity>();
    density->request = request;
    density->map = densityMap({request.points->real, request.shown[0].get()},
                              {request.points->synthetic, request.shown[1].get()}, request.grid, 0, job);
    density->levels = densityLevels(density->map.real, PlaneDensity::kShares);
    return density;
}

} // namespace assay

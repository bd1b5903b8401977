// Densities on the plane: when they are wanted, and how they are shown.
#include "widgets/space/view/space_view.h"

#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/plane/difference_legend.h"
#include "widgets/space/view/space_header.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

/// The box of the points with room for what the kernel adds around them.
PlaneGrid gridAround(const space::Box& box) {
    constexpr double kMargin = 0.15;
    PlaneGrid grid;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const auto low = static_cast<double>(box.low[axis]);
        const auto high = static_cast<double>(box.high[axis]);
        const double margin = std::max(kMargin * (high - low), 1e-9);
        grid.low[axis] = low - margin;
        grid.high[axis] = high + margin;
    }
    return grid;
}

} // namespace

space::MapKind SpaceView::mapKind() const {
    const bool flat = points() && points()->layout.isFlat();
    return flat ? header_->mapKind() : space::MapKind::None;
}

void SpaceView::refreshMap() {
    header_->setFlat(points() && points()->layout.isFlat());
    if (!canvas_ || !pointsFit())
        return;
    const space::MapKind kind = mapKind();
    // The contours stand for the real samples, which would hide them.
    const bool standsForReal = kind == space::MapKind::RealDensity;
    if (std::exchange(hidReal_, standsForReal) != standsForReal)
        header_->setSetVisible(SetId::Real, !standsForReal);
    // Scores of one side place the other nowhere, and there is nothing to compare.
    difference_->setVisible(kind == space::MapKind::Difference && space::isAnyPlaced(points()->real) &&
                            space::isAnyPlaced(points()->synthetic));
    if (kind == space::MapKind::None) {
        canvas_->setPlaneMap({});
        return;
    }
    DensityRequest request{points(), masks_, gridAround(canvas_->drawing().box)};
    if (density_ && density_->request == request) {
        canvas_->setPlaneMap(space::planeMap(density_, kind, palette()));
        return;
    }
    canvas_->setPlaneMap({});
    if (wantedDensity_ && *wantedDensity_ == request)
        return; // under way
    wantedDensity_ = std::make_shared<const DensityRequest>(std::move(request));
    ask(
        "density", tr("Mapping densities"),
        [wanted = wantedDensity_](const JobContext& job) { return planeDensity(*wanted, job); },
        [this](std::shared_ptr<const PlaneDensity> density) { showDensity(std::move(density)); });
}

void SpaceView::showDensity(std::shared_ptr<const PlaneDensity> density) {
    density_ = std::move(density);
    wantedDensity_.reset();
    refreshMap();
}

void SpaceView::setMapKind(space::MapKind kind) {
    header_->setMapKind(kind);
}

} // namespace assay

// The models that are not the current one: when they are placed, and how they are drawn.
#include "widgets/space/view/space_view.h"

#include "widgets/common/colors.h"
#include "widgets/link/sample_selection.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/view/space_header.h"

#include <utility>

namespace assay {

/// Draws them where the colours are those of models; while samples are selected, in grey like all others.
void SpaceView::refreshOtherModels() {
    OtherModelsRequest request{points(), state().audit, state().model};
    const bool wanted = !coloring_.models.empty() && placesOtherModels(points()->layout.arrangement);
    if (!wanted || !others_ || others_->request != request) {
        canvas_->setCloud(space::kOtherCloud, {});
        if (!wanted || (wantedOthers_ && *wantedOthers_ == request))
            return; // under way
        wantedOthers_ = std::make_shared<const OtherModelsRequest>(std::move(request));
        ask(
            "other models", tr("Placing the other models"),
            [wanted = wantedOthers_](const JobContext& job) { return placeOtherModels(*wanted, job); },
            [this](std::shared_ptr<const OtherModels> others) { showOtherModels(std::move(others)); });
        return;
    }
    std::vector<space::Rgb> colors(others_->points.size(), space::toRgb(colors::unselected(palette())));
    std::vector<bool> shown(colors.size(), false);
    for (std::size_t i = 0; i < colors.size(); ++i)
        if (const auto& own = coloring_.models[others_->model[i]]) {
            shown[i] = true;
            if (selection()->samples().empty())
                colors[i] = *own;
        }
    space::Cloud cloud = canvas_->drawing().clouds[space::kSyntheticCloud];
    cloud.points = {others_, &others_->points};
    cloud.colors = std::make_shared<const std::vector<space::Rgb>>(std::move(colors));
    cloud.shown = std::make_shared<const std::vector<bool>>(std::move(shown));
    canvas_->setCloud(space::kOtherCloud, std::move(cloud));
}

void SpaceView::showOtherModels(std::shared_ptr<const OtherModels> others) {
    others_ = std::move(others);
    wantedOthers_.reset();
    refreshPoints();
}

} // namespace assay

// Pictures in place of points, where the view of the plane has come close enough.
#include "widgets/space/view/space_view.h"

#include "widgets/link/sample_selection.h"
#include "widgets/space/canvas/plane_thumbnails.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/plane/picture_places.h"
#include "widgets/space/view/space_header.h"

#include <QTimer>

#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr int kAtRest = 80;                // ms without a move
constexpr std::size_t kMostPictures = 600; // more than fit into a large window

} // namespace

void SpaceView::makePictures() {
    thumbnails_ = new space::PlaneThumbnails(canvas_, pictures());
    thumbnails_->hide();
    canvas_->insertLayer(thumbnails_);
    atRest_ = new QTimer(this);
    atRest_->setSingleShot(true);
    atRest_->setInterval(kAtRest);
    connect(atRest_, &QTimer::timeout, this, &SpaceView::refreshPictures);
    // Those that are there move with the view.
    connect(canvas_, &space::SpaceCanvas::viewMoved, atRest_, qOverload<>(&QTimer::start));
    connect(header_, &space::SpaceHeader::picturesToggled, this, &SpaceView::refreshPictures);
}

void SpaceView::refreshPictures() {
    if (!thumbnails_)
        return;
    std::vector<space::PlaneThumbnail> shown;
    const auto hasPictures = [this](SetId set) { return state().audit->setOf(set).images() != nullptr; };
    if (pointsFit() && points()->layout.isFlat() && header_->showsPictures() &&
        (hasPictures(SetId::Real) || hasPictures(state().currentSet()))) {
        std::array<space::PickableCloud, 2> clouds = pickableClouds();
        for (const std::size_t cloud : {space::kRealCloud, space::kSyntheticCloud})
            if (!hasPictures(cloud == space::kRealCloud ? SetId::Real : state().currentSet()))
                clouds[cloud] = {};
        const space::PicturePlaces places = space::picturePlaces(clouds, canvas_->camera(), canvas_->size(),
                                                                 space::PlaneThumbnails::kEdge, kMostPictures);
        if (space::arePicturesWorthIt(places))
            for (const space::Pick& pick : places.picks)
                shown.push_back({sampleOf(pick), clouds[pick.cloud].points[pick.row], (*colors_[pick.cloud])[pick.row],
                                 selection()->contains(sampleOf(pick))});
    }
    const bool had = !thumbnails_->thumbnails().empty();
    thumbnails_->setThumbnails(std::move(shown));
    if (had || !thumbnails_->thumbnails().empty())
        refreshHighlights(); // marks and frames take each other's place
}

SampleSet SpaceView::pictured() const {
    SampleSet samples;
    if (thumbnails_)
        for (const space::PlaneThumbnail& thumbnail : thumbnails_->thumbnails())
            samples.insert(thumbnail.sample);
    return samples;
}

} // namespace assay

// What the space panel draws, layer by layer.
#include "widgets/space/view/space_view.h"

#include "engine/data/embedding_set.h"
#include "widgets/common/colors.h"
#include "widgets/link/sample_selection.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/view/color_bar.h"
#include "widgets/space/view/focus_highlights.h"
#include "widgets/space/view/space_header.h"

#include <QLabel>

#include <algorithm>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kMaxPictures = 600; // more than fit into a large window

/// The fewer points, the larger they can be without becoming one blot.
float diameterFor(std::size_t points) {
    return points <= 5'000 ? 6.0F : points <= 40'000 ? 4.5F : 3.5F;
}

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

void SpaceView::redraw() {
    if (!isDrawn())
        return;
    // The contours stand for the real samples, which would hide them.
    const bool standsForReal = mapKind() == space::MapKind::RealDensity;
    if (std::exchange(hidReal_, standsForReal) != standsForReal)
        header_->setSetVisible(SetId::Real, !standsForReal); // calls this again
    placeClouds();
    placeOtherModels();
    space::countEntries(coloring_, pickableClouds(), selection()->samples(), state().currentSet());
    colorBar_->setLegend(coloring_.legend);
    placeMap();
    placePictures();
}

/// Rows of a set that are drawn; null: all.
std::shared_ptr<const std::vector<bool>> SpaceView::maskOf(SetId set, const std::vector<space::Point>& places) const {
    const bool allPlaced =
        points()->layout.arrangement != Arrangement::Columns || std::ranges::all_of(places, space::isPlaced);
    if (!state().shown && allPlaced)
        return nullptr;
    auto flags = std::make_shared<std::vector<bool>>(places.size(), !state().shown);
    if (state().shown)
        for (const SampleId sample : state().shown->in(set))
            if (sample.row < places.size())
                (*flags)[sample.row] = true;
    for (std::size_t row = 0; row < places.size() && !allPlaced; ++row)
        if (!space::isPlaced(places[row]))
            (*flags)[row] = false;
    return flags;
}

/// The clouds in their colours; while samples are selected, all others in grey.
void SpaceView::placeClouds() {
    const SampleSet& selected = selection()->samples();
    const float diameter = diameterFor(points()->real.size() + points()->synthetic.size());
    for (const std::size_t at : {space::kRealCloud, space::kSyntheticCloud}) {
        const SetId set = setOf(at);
        const auto& places = at == space::kRealCloud ? points()->real : points()->synthetic;
        space::Cloud& cloud = drawing_.clouds[at];
        if (!cloud.points || maskedBy_ != state().shown)
            cloud.shown = maskOf(set, places);
        cloud.points = {points(), &places}; // shared with the job's result, not copied
        cloud.colors = colors_[at];
        if (!selected.empty()) {
            std::vector<space::Rgb> faded(places.size(), space::toRgb(colors::unselected(palette())));
            for (const SampleId sample : selected.in(set))
                if (sample.row < faded.size())
                    faded[sample.row] = (*colors_[at])[sample.row];
            cloud.colors = std::make_shared<const std::vector<space::Rgb>>(std::move(faded));
        }
        // Real ones are smaller than what is audited: copies would hide behind their originals.
        cloud.diameter = at == space::kRealCloud ? diameter : 1.2F * diameter;
        cloud.visible = header_->isSetVisible(set);
    }
    maskedBy_ = state().shown;
}

/// The other models where the colours are those of models; while samples are selected, in grey like all others.
void SpaceView::placeOtherModels() {
    space::Cloud& cloud = drawing_.clouds[space::kOtherCloud];
    cloud = {};
    if (coloring_.models.empty() || !placesOtherModels(points()->layout.arrangement))
        return;
    OtherModelsRequest request{points(), state().audit, state().model};
    if (wantedOthers_ != request) {
        wantedOthers_ = std::move(request);
        others_.reset();
        ask(
            "other models", tr("Placing the other models"),
            [wanted = wantedOthers_](const JobContext& job) { return assay::placeOtherModels(wanted, job); },
            [this](std::shared_ptr<const OtherModels> others) {
                others_ = std::move(others);
                redraw();
            });
    }
    if (!others_)
        return;
    std::vector<space::Rgb> colors(others_->points.size(), space::toRgb(colors::unselected(palette())));
    std::vector<bool> shown(colors.size(), false);
    for (std::size_t i = 0; i < colors.size(); ++i)
        if (const auto& own = coloring_.models[others_->model[i]]) {
            shown[i] = true;
            if (selection()->samples().empty())
                colors[i] = *own;
        }
    cloud = drawing_.clouds[space::kSyntheticCloud];
    cloud.points = {others_, &others_->points};
    cloud.colors = std::make_shared<const std::vector<space::Rgb>>(std::move(colors));
    cloud.shown = std::make_shared<const std::vector<bool>>(std::move(shown));
}

space::MapKind SpaceView::mapKind() const {
    const bool flat = points() && points()->layout.isFlat();
    return flat ? header_->mapKind() : space::MapKind::None;
}

void SpaceView::placeMap() {
    const space::MapKind kind = mapKind();
    // Scores of one side place the other nowhere, and there is nothing to compare.
    difference_->setVisible(kind == space::MapKind::Difference && space::isAnyPlaced(points()->real) &&
                            space::isAnyPlaced(points()->synthetic));
    drawing_.map.reset();
    if (kind == space::MapKind::None)
        return;
    DensityRequest request{points(),
                           {drawing_.clouds[0].shown, drawing_.clouds[1].shown},
                           gridAround(drawing_.box),
                           {state().audit->real->set, state().current().set}};
    if (wantedDensity_ != request) {
        wantedDensity_ = std::move(request);
        density_.reset();
        ask(
            "density", tr("Mapping densities"),
            [wanted = wantedDensity_](const JobContext& job) { return planeDensity(wanted, job); },
            [this](std::shared_ptr<const PlaneDensity> density) { showDensity(std::move(density)); });
    }
    if (density_)
        drawing_.map = space::planeMap(density_, kind, palette());
}

void SpaceView::showDensity(std::shared_ptr<const PlaneDensity> density) {
    if (density->request != wantedDensity_)
        return;
    density_ = std::move(density);
    redraw();
}

/// Pictures in place of points, where the view of the plane has come close enough.
void SpaceView::placePictures() {
    if (!isDrawn())
        return;
    drawing_.thumbnails.clear();
    if (points()->layout.isFlat() && header_->showsPictures()) {
        std::array<space::PickableCloud, 2> clouds = pickableClouds();
        for (std::size_t cloud = 0; cloud < clouds.size(); ++cloud)
            if (!state().audit->setOf(setOf(cloud)).images())
                clouds[cloud] = {};
        const space::PicturePlaces places =
            space::picturePlaces(clouds, canvas_->camera(), canvas_->size(), space::Thumbnail::kEdge, kMaxPictures);
        if (space::arePicturesWorthIt(places))
            for (const space::Pick& pick : places.picks)
                drawing_.thumbnails.push_back({sampleOf(pick), clouds[pick.cloud].points[pick.row],
                                               (*colors_[pick.cloud])[pick.row],
                                               selection()->contains(sampleOf(pick))});
    }
    placeHighlights(); // marks and frames take each other's place
}

SampleSet SpaceView::pictured() const {
    SampleSet samples;
    for (const space::Thumbnail& thumbnail : drawing_.thumbnails)
        samples.insert(thumbnail.sample);
    return samples;
}

void SpaceView::placeHighlights() {
    if (!isDrawn())
        return;
    auto clouds = drawing_.clouds;
    for (std::size_t i = 0; i < colors_.size(); ++i)
        clouds[i].colors = colors_[i];
    space::FocusHighlights focus =
        space::focusHighlights({state(), *points(), *selection(), clouds, palette(), pictured()});
    drawing_.hovered = selection()->hovered();
    drawing_.highlights = std::move(focus.highlights);
    drawing_.notice = mapIsComing() ? tr("Principal components, until the UMAP map is ready\u2026") : QString();
    canvas_->draw(drawing_);
    caption_->setText(focus.caption.isEmpty() ? hint() : focus.caption);
    caption_->setToolTip(points()->layout.arrangement == Arrangement::Components
                             ? tr("The ball has its true radius. A sample that looks outside is outside. One that "
                                  "looks inside may still be outside in the other dimensions.")
                             : tr("Lines lead to the nearest neighbours in all dimensions. No balls are drawn, because "
                                  "lengths mean nothing in this layout."));
}

} // namespace assay

// Mouse and keyboard input of the space panel.
#include "widgets/space/view/space_view.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/number_format.h"
#include "widgets/grid/sample_card.h"
#include "widgets/link/sample_selection.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/drawing/space_picker.h"
#include "widgets/space/view/space_header.h"

#include <QKeyEvent>

#include <array>
#include <utility>

namespace assay {
namespace {

constexpr double kReach = 8.0; // logical pixels from the cursor

} // namespace

/// None for a sample that is not drawn.
std::optional<space::Point> SpaceView::placeOf(SampleId sample) const {
    if (!isDrawn() || (!isReal(sample.set) && sample.set != state().currentSet()))
        return std::nullopt;
    const space::PickableCloud cloud =
        pickableClouds()[isReal(sample.set) ? space::kRealCloud : space::kSyntheticCloud];
    return sample.row < cloud.points.size() && cloud.shows(sample.row) ? std::optional(cloud.points[sample.row])
                                                                       : std::nullopt;
}

std::optional<QPointF> SpaceView::screenPosition(SampleId sample) const {
    const auto place = placeOf(sample);
    if (!place)
        return std::nullopt;
    const QSizeF size = canvas_->size();
    const auto screen = space::project(canvas_->camera().matrix(size), size, *place);
    if (!screen || !QRectF({}, size).contains(screen->at))
        return std::nullopt;
    return screen->at + canvas_->mapTo(this, QPoint(0, 0));
}

/// Clouds in drawing order; a hidden cloud is empty.
std::array<space::PickableCloud, 2> SpaceView::pickableClouds() const {
    std::array<space::PickableCloud, 2> clouds;
    for (std::size_t i = 0; i < clouds.size(); ++i)
        if (const space::Cloud& drawn = drawing_.clouds[i]; isDrawn() && drawn.visible && drawn.points)
            clouds[i] = {*drawn.points, drawn.shown.get(), drawn.diameter};
    return clouds;
}

/// The sample whose picture is there, else whose point is.
std::optional<SampleId> SpaceView::sampleAt(QPointF at) const {
    if (const auto sample = canvas_->pictureAt(at))
        return sample;
    const auto pick = space::pickAt(pickableClouds(), canvas_->camera(), canvas_->size(), at, kReach);
    return pick ? std::optional(sampleOf(*pick)) : std::nullopt;
}

void SpaceView::clickAt(QPointF at, Qt::KeyboardModifiers modifiers) {
    const auto sample = sampleAt(at);
    const SelectionChange how = selectionChange(modifiers);
    if (sample)
        selection()->change(how, {*sample}, *sample);
    else if (how == SelectionChange::Replace)
        selection()->clear();
}

void SpaceView::pointAt(QPointF at) {
    const auto sample = sampleAt(at);
    selection()->hover(sample);
    if (sample)
        SampleCard::show(canvas_, canvas_->mapToGlobal(at.toPoint()),
                         {state(), *sample, pictures(), {}, colorLine(*sample)});
    else
        SampleCard::hide(canvas_);
}

void SpaceView::chooseInside(const QPolygonF& outline, Qt::KeyboardModifiers modifiers) {
    SampleSet samples;
    const auto clouds = pickableClouds();
    for (std::size_t at = 0; at < clouds.size(); ++at)
        samples |= SampleSet(setOf(at), space::rowsInside(clouds[at], canvas_->camera(), canvas_->size(), outline));
    selection()->chooseBy(modifiers, samples);
}

void SpaceView::chooseEntry(std::size_t entry, Qt::KeyboardModifiers modifiers) {
    const auto& chosen = coloring_.legend.entries[entry];
    if (chosen.model)
        host().setModel(*chosen.model);
    else
        selection()->chooseBy(modifiers, space::samplesOf(coloring_, entry, pickableClouds(), state().currentSet()));
}

void SpaceView::isolateEntry(std::size_t entry) {
    // The first click has made another model the current one, so that the second hits an entry by accident.
    if (!coloring_.models.empty())
        return;
    host().setFilter(state().filter.only(space::samplesOf(coloring_, entry, pickableClouds(), state().currentSet())));
}

/// What the sample is coloured by, in words, where a score says so.
QString SpaceView::colorLine(SampleId sample) const {
    const Column* column = state().findColumn(colorColumn().toStdString());
    const Side side = isReal(sample.set) ? Side::Real : Side::Synthetic;
    if (!column || column->side != side || !state().current().hasColumn(column->id))
        return {};
    return QStringLiteral("<p>%1</p>")
        .arg(
            tr("Colour: %1 %2")
                .arg(catalogText(column->title), formatValue(state().current().column(column->id)[sample.row], *column))
                .toHtmlEscaped());
}

void SpaceView::keyPressEvent(QKeyEvent* event) {
    const int key = event->modifiers() == Qt::NoModifier ? event->key() : 0;
    if (key == Qt::Key_R)
        resetView();
    else if (key == Qt::Key_F)
        centerOnFocus();
    else if (key == Qt::Key_M)
        header_->setTool(space::Tool::Move);
    else if (key == Qt::Key_B)
        header_->setTool(space::Tool::Rectangle);
    else if (key == Qt::Key_L)
        header_->setTool(space::Tool::Lasso);
    else if (event->key() == Qt::Key_Escape && (!canvas_ || !canvas_->cancelGesture()))
        selection()->clear();
    else
        Panel::keyPressEvent(event);
}

} // namespace assay

// Mouse and keyboard input of the space panel.
#include "widgets/space/view/space_view.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"
#include "widgets/samples/sample_card.h"
#include "widgets/space/canvas/plane_thumbnails.h"
#include "widgets/space/canvas/space_canvas.h"
#include "widgets/space/drawing/space_picker.h"
#include "widgets/space/view/space_header.h"
#include "widgets/space/view/tool_buttons.h"

#include <QKeyEvent>

#include <array>
#include <utility>

namespace assay {
namespace {

constexpr double kReach = 8.0; // logical pixels from the cursor

} // namespace

std::optional<QPointF> SpaceView::screenPosition(SampleId sample) const {
    if (!isShown(sample.set) || !state().isShown(sample))
        return std::nullopt;
    const auto& cloud = isReal(sample.set) ? points()->real : points()->synthetic;
    if (sample.row >= cloud.size())
        return std::nullopt;
    const QSizeF size = canvas_->size();
    const auto screen = space::project(canvas_->camera().matrix(size), size, cloud[sample.row]);
    if (!screen || !QRectF({}, size).contains(screen->at))
        return std::nullopt;
    return screen->at + canvas_->mapTo(this, QPoint(0, 0));
}

SampleId SpaceView::sampleOf(const space::Pick& pick) const {
    return {pick.cloud == space::kRealCloud ? SetId::Real : state().currentSet(), static_cast<std::uint32_t>(pick.row)};
}

/// Visible clouds in drawing order; a hidden cloud is empty.
std::array<space::PickableCloud, 2> SpaceView::pickableClouds() const {
    const space::Drawing& drawing = canvas_->drawing();
    std::array<space::PickableCloud, 2> clouds;
    for (std::size_t i = 0; i < clouds.size(); ++i)
        if (drawing.clouds[i].visible && drawing.clouds[i].points)
            clouds[i] = {*drawing.clouds[i].points, drawing.clouds[i].shown.get(), drawing.clouds[i].diameter};
    return clouds;
}

std::optional<space::Pick> SpaceView::pickAt(QPointF at) const {
    if (!pointsFit())
        return std::nullopt;
    return space::pickAt(pickableClouds(), canvas_->camera(), canvas_->size(), at, kReach);
}

/// The sample whose picture is there, else whose point is.
std::optional<SampleId> SpaceView::sampleAt(QPointF at) const {
    if (thumbnails_)
        if (const auto sample = thumbnails_->sampleAt(at))
            return sample;
    const auto pick = pickAt(at);
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

void SpaceView::chooseInside(const auto& shape, Qt::KeyboardModifiers modifiers) {
    if (!pointsFit())
        return;
    SampleSet samples;
    const auto clouds = pickableClouds();
    for (const auto& [cloud, set] :
         {std::pair{space::kRealCloud, SetId::Real}, std::pair{space::kSyntheticCloud, state().currentSet()}})
        samples |= SampleSet(set, space::rowsInside(clouds[cloud], canvas_->camera(), canvas_->size(), shape));
    selection()->chooseBy(modifiers, samples);
}

void SpaceView::brush(const QRectF& rectangle, Qt::KeyboardModifiers modifiers) {
    chooseInside(rectangle, modifiers);
}

void SpaceView::lasso(const QPolygonF& outline, Qt::KeyboardModifiers modifiers) {
    chooseInside(outline, modifiers);
}

SampleSet SpaceView::samplesOfEntry(std::size_t entry) const {
    SampleSet samples = space::samplesOf(coloring_, entry, masks_, state().currentSet());
    for (const SetId set : {SetId::Real, state().currentSet()})
        if (!isShown(set))
            samples -= samples.in(set);
    return samples;
}

void SpaceView::chooseEntry(std::size_t entry, Qt::KeyboardModifiers modifiers) {
    const auto& chosen = coloring_.legend.entries[entry];
    if (chosen.model)
        host().setModel(*chosen.model);
    else
        selection()->chooseBy(modifiers, samplesOfEntry(entry));
}

void SpaceView::isolateEntry(std::size_t entry) {
    // The first click has made another model the current one, so that the second hits an entry by accident.
    if (!coloring_.models.empty())
        return;
    host().setFilter(state().filter.only(samplesOfEntry(entry)));
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
    if (event->key() == Qt::Key_R && event->modifiers() == Qt::NoModifier)
        resetView();
    else if (event->key() == Qt::Key_F && event->modifiers() == Qt::NoModifier)
        centerOnFocus();
    else if (event->key() == Qt::Key_M && event->modifiers() == Qt::NoModifier)
        header_->tools()->setTool(space::Tool::Move);
    else if (event->key() == Qt::Key_B && event->modifiers() == Qt::NoModifier)
        header_->tools()->setTool(space::Tool::Rectangle);
    else if (event->key() == Qt::Key_L && event->modifiers() == Qt::NoModifier)
        header_->tools()->setTool(space::Tool::Lasso);
    else if (event->key() == Qt::Key_Escape && (!canvas_ || !canvas_->cancelGesture()))
        selection()->clear();
    else
        Panel::keyPressEvent(event);
}

} // namespace assay

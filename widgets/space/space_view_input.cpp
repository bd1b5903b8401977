// Mouse and keyboard input of the space panel.
#include "widgets/space/space_view.h"

#include "engine/metrics/catalog/catalog.h"
#include "widgets/link/sample_selection.h"
#include "widgets/samples/sample_tooltip.h"
#include "widgets/space/sample_colors.h"
#include "widgets/space/space_canvas.h"
#include "widgets/space/space_picker.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QToolTip>

#include <array>
#include <utility>

namespace assay {
namespace {

constexpr double kReach = 8.0; // logical pixels from the cursor

/// Visible clouds in drawing order; a hidden cloud is empty.
std::array<space::PickableCloud, 2> pickable(const space::Drawing& drawing) {
    std::array<space::PickableCloud, 2> clouds;
    for (std::size_t i = 0; i < clouds.size(); ++i)
        if (drawing.clouds[i].visible && drawing.clouds[i].points)
            clouds[i] = {*drawing.clouds[i].points, drawing.clouds[i].shown.get(), drawing.clouds[i].diameter};
    return clouds;
}

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

std::optional<space::Pick> SpaceView::pickAt(QPointF at) const {
    if (!pointsFit())
        return std::nullopt;
    return space::pickAt(pickable(canvas_->drawing()), canvas_->camera(), canvas_->size(), at, kReach);
}

void SpaceView::clickAt(QPointF at, Qt::KeyboardModifiers modifiers) {
    const auto pick = pickAt(at);
    const SelectionChange how = selectionChange(modifiers);
    if (pick)
        selection()->change(how, {sampleOf(*pick)}, sampleOf(*pick));
    else if (how == SelectionChange::Replace)
        selection()->clear();
}

void SpaceView::pointAt(QPointF at) {
    const auto pick = pickAt(at);
    selection()->hover(pick ? std::optional(sampleOf(*pick)) : std::nullopt);
    if (pick)
        QToolTip::showText(canvas_->mapToGlobal(at.toPoint()),
                           pictureTag(state().audit->setOf(sampleOf(*pick).set), sampleOf(*pick).row) +
                               describe(sampleOf(*pick)).toHtmlEscaped().replace('\n', "<br>"),
                           canvas_);
    else
        QToolTip::hideText();
}

void SpaceView::brush(const QRectF& rectangle, Qt::KeyboardModifiers modifiers) {
    if (!pointsFit())
        return;
    SampleSet samples;
    const auto clouds = pickable(canvas_->drawing());
    for (const auto& [cloud, set] :
         {std::pair{space::kRealCloud, SetId::Real}, std::pair{space::kSyntheticCloud, state().currentSet()}})
        samples |= SampleSet(set, space::rowsInside(clouds[cloud], canvas_->camera(), canvas_->size(), rectangle));
    // Ctrl is what makes a drag a brush, where Shift alone pans.
    selection()->change(modifiers & Qt::ShiftModifier ? SelectionChange::Subtract
                        : modifiers & Qt::AltModifier ? SelectionChange::Add
                                                      : SelectionChange::Replace,
                        samples);
}

QString SpaceView::describe(SampleId sample) const {
    const EmbeddingSet& set = state().audit->setOf(sample.set);
    const QString name = isReal(sample.set) ? tr("Real") : QString::fromStdString(state().current().name);
    QString text = tr("%1 %2").arg(name, QString::fromStdString(set.idText(sample.row)));
    if (set.hasLabel(sample.row))
        text += tr(", class %1").arg(QString::fromStdString(set.labelText(sample.row)));
    if (isReal(sample.set))
        return text;
    const std::string id = colorColumn().toStdString();
    for (const Column* column : space::colorableColumns(state().current()))
        if (column->id == id)
            text += QStringLiteral("\n") +
                    tr("%1: %2").arg(column_->currentText(),
                                     space::valueText(*column, state().current().column(id)[sample.row], locale()));
    if (!state().isKept(sample.row))
        text += QStringLiteral("\n") + tr("rejected");
    return text;
}

void SpaceView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_R && event->modifiers() == Qt::NoModifier)
        resetView();
    else if (event->key() == Qt::Key_F && event->modifiers() == Qt::NoModifier)
        centerOnFocus();
    else if (event->key() == Qt::Key_Escape)
        selection()->clear();
    else
        LinkedView::keyPressEvent(event);
}

} // namespace assay

#include "widgets/tables/sample_table.h"

#include "widgets/common/colors.h"
#include "widgets/grid/sample_card.h"
#include "widgets/link/sample_selection.h"

#include <QHelpEvent>
#include <QMouseEvent>

#include <utility>

namespace assay {

SampleTable::SampleTable(SampleSelection* selection, ThumbnailCache* pictures, QWidget* parent, RowModel* model)
    : TableView(parent, model), selection_(selection), pictures_(pictures) {
    setSelectionMode(NoSelection); // the one selection is the program's
    setMouseTracking(true);
    setVerticalScrollMode(ScrollPerPixel);
    connect(pictures_, &ThumbnailCache::arrived, viewport(), qOverload<>(&QWidget::update));
    connect(selection_, &SampleSelection::changed, viewport(), qOverload<>(&QWidget::update));
    connect(this, &TableView::rowChosen, this, [this](int row) { selection_->select(content().sample(row)); });
    connect(this, &TableView::opened, this, [this](int row) { inspect(rows().placeOf(row)); });
}

void SampleTable::showSamples(const ViewState& state, TableContent content) {
    state_ = state;
    setContent(std::move(content));
}

std::optional<QRect> SampleTable::followFocus() {
    const auto focus = selection_->focus();
    for (int place = 0; focus && place < rows().rowCount(); ++place)
        if (sampleAt(place) == *focus) {
            showRow(rows().rowAt(place));
            return visualRect(rows().index(place, firstColumn())).translated(viewport()->pos());
        }
    return std::nullopt;
}

TableView::RowMarks SampleTable::marksOf(const QModelIndex& index) const {
    const SampleId sample = sampleAt(index.row());
    const bool isChosen = selection_->contains(sample);
    return {.isChosen = isChosen,
            .isFocused = isChosen && selection_->focus() == sample,
            .isCurrent = !isChosen && hasFocus() && index.row() == currentIndex().row()};
}

void SampleTable::paintPicture(QPainter& painter, const QRect& rect, SampleId sample) const {
    pictures_->paint(painter, rect, sample, palette(),
                     isReal(sample.set) ? colors::real(palette()) : colors::synthetic(palette()));
}

void SampleTable::pick(int place, Qt::KeyboardModifiers modifiers) {
    const SampleId sample = sampleAt(place);
    showRow(rows().rowAt(place));
    selection_->chooseBy(modifiers, {sample}, sample);
}

void SampleTable::inspect(int place) {
    const SampleId sample = sampleAt(place);
    selection_->select(sample);
    emit inspectRequested(sample);
}

void SampleTable::mousePressEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    if (!index.isValid())
        return;
    if (event->button() == Qt::LeftButton)
        pick(index.row(), event->modifiers());
    else // the subject of a menu
        selection_->hover(sampleAt(index.row()));
}

void SampleTable::mouseMoveEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    selection_->hover(index.isValid() ? std::optional(sampleAt(index.row())) : std::nullopt);
}

void SampleTable::mouseDoubleClickEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    if (index.isValid() && event->button() == Qt::LeftButton)
        inspect(index.row());
}

bool SampleTable::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        selection_->hover(std::nullopt);
    if (event->type() != QEvent::ToolTip)
        return TableView::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const QModelIndex index = indexAt(help->pos()); index.isValid())
        SampleCard::show(viewport(), help->globalPos(),
                         {state_, sampleAt(index.row()), pictures_, {}, index.data(Qt::ToolTipRole).toString()});
    else
        SampleCard::hide(viewport());
    return true;
}

} // namespace assay

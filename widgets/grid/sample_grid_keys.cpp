#include "widgets/common/number_format.h"
#include "widgets/grid/large_picture.h"
#include "widgets/grid/sample_card.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/link/sample_selection.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace assay {

GridPicture SampleGrid::pictureAt(GridPlace place) const {
    return contents_->cell(place.cell, palette()).pictures.at(place.picture);
}

SampleId SampleGrid::sampleAt(GridPlace place) const {
    return pictureAt(place).sample;
}

bool SampleGrid::isSelectable(GridPlace place) const {
    return !pictureAt(place).heldOut;
}

SampleGrid::Shown SampleGrid::shown(const GridPicture& picture) const {
    return {picture.sample, cacheOf(picture), contents_->state(picture.heldOut)};
}

std::size_t SampleGrid::stopOf(GridPlace place) const {
    return place.cell * stopsPerCell() + (stopsPerCell() > 1 ? place.picture : 0);
}

std::size_t SampleGrid::stopCount() const {
    return contents_->size() * stopsPerCell() + (layout_.hasHeaders() ? layout_.groupCount() : 0);
}

bool SampleGrid::isHeading(std::size_t stop) const {
    return stop >= contents_->size() * stopsPerCell();
}

std::optional<std::size_t> SampleGrid::stopAt(QPoint point) const {
    if (const auto group = headingAt(point))
        return contents_->size() * stopsPerCell() + *group;
    const auto place = placeAt(point);
    return place ? std::optional(stopOf(*place)) : std::nullopt;
}

std::optional<std::size_t> SampleGrid::currentStop() const {
    if (heading_)
        return contents_->size() * stopsPerCell() + *heading_;
    return current_ ? std::optional(stopOf(*current_)) : std::nullopt;
}

QRect SampleGrid::stopRect(std::size_t stop) const {
    if (isHeading(stop))
        return headingRect(stop - contents_->size() * stopsPerCell());
    return stopsPerCell() == 1 ? cellRect(stop) : pictureRect({stop / stopsPerCell(), stop % stopsPerCell()});
}

QString SampleGrid::spokenText(std::size_t stop) const {
    return isHeading(stop) ? contents_->headingText(stop - contents_->size() * stopsPerCell())
                           : contents_->spokenText(stop / stopsPerCell(), stop % stopsPerCell());
}

bool SampleGrid::isSelected(std::size_t stop) const {
    const GridPlace place{stop / stopsPerCell(), stop % stopsPerCell()};
    return isSelectable(place) && selection_->contains(sampleAt(place));
}

/// Brings the keyboard to the sample that was focused elsewhere, where it is listed.
void SampleGrid::follow() {
    const auto focus = selection_->focus();
    if (!focus || look_.arrows == GridLook::Arrows::Walk)
        return;
    if (current_ && isSelectable(*current_) && sampleAt(*current_) == *focus)
        return;
    current_ = contents_->find(*focus);
}

void SampleGrid::choose(GridPlace place, Qt::KeyboardModifiers modifiers) {
    if (!isSelectable(place))
        return;
    choosing_ = true;
    contents_->choose(place, modifiers);
    choosing_ = false;
}

void SampleGrid::goTo(GridPlace place, Qt::KeyboardModifiers modifiers) {
    current_ = place;
    heading_.reset();
    scrollTo(place.cell);
    viewport()->update();
    if (look_.arrows == GridLook::Arrows::Choose)
        choose(place, modifiers);
    announceCurrent();
}

void SampleGrid::inspect(GridPlace place) {
    if (isSelectable(place))
        emit inspectRequested(sampleAt(place));
}

void SampleGrid::setHeading(std::optional<std::size_t> group) {
    if (group == heading_)
        return;
    heading_ = group;
    viewport()->update();
}

void SampleGrid::chooseGroup(std::size_t group, Qt::KeyboardModifiers modifiers) {
    setHeading(group);
    choosing_ = true;
    contents_->chooseGroup(group, modifiers);
    choosing_ = false;
    announceCurrent();
}

void SampleGrid::mousePressEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    const bool left = event->button() == Qt::LeftButton;
    if (const auto group = headingAt(point)) {
        if (!left)
            chooseGroup(*group, Qt::NoModifier); // what a menu is about
        else if (foldRect(*group).contains(point))
            setGroupOpen(*group, !layout_.isOpen(*group));
        else
            chooseGroup(*group, event->modifiers());
        return;
    }
    const auto place = placeAt(point);
    pressed_ = place ? std::optional(std::pair(pictureAt(*place), point)) : std::nullopt;
    if (!place) {
        event->ignore(); // of a card around the grid
    } else if (left) {
        goTo(stopsPerCell() == 1 ? GridPlace{place->cell, 0} : *place, event->modifiers());
        if (look_.arrows == GridLook::Arrows::Walk)
            choose(*current_, event->modifiers());
    } else if (isSelectable(*place)) { // what a menu is about
        selection_->hover(sampleAt(*place));
    }
}

void SampleGrid::mouseReleaseEvent(QMouseEvent* event) {
    event->setAccepted(placeAt(event->position().toPoint()).has_value());
}

void SampleGrid::hoverAt(QPoint point) {
    const auto place = placeAt(point);
    selection_->hover(place && isSelectable(*place) ? std::optional(sampleAt(*place)) : std::nullopt);
}

void SampleGrid::mouseMoveEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    const auto place = placeAt(point);
    hoverAt(point);
    const auto group = headingAt(point);
    const bool link = group ? foldRect(*group).contains(point) : place && look_.arrows == GridLook::Arrows::Walk;
    viewport()->setCursor(link ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void SampleGrid::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto group = headingAt(point)) { // the link takes both clicks
        setGroupOpen(*group, !layout_.isOpen(*group));
    } else if (const auto place = placeAt(point)) {
        const bool again =
            pressed_ && (point - pressed_->second).manhattanLength() <= QApplication::startDragDistance();
        const GridPicture picture = again ? pressed_->first : pictureAt(*place);
        const Shown large = shown(picture);
        if (!picture.heldOut)
            emit inspectRequested(picture.sample);
        if (large.state.audit->setOf(large.sample.set).images() != nullptr)
            LargePicture::show(this, large);
    }
}

void SampleGrid::wheelEvent(QWheelEvent* event) {
    if (fits()) {
        event->ignore(); // of the scroll area around the grid
        return;
    }
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    setEdge(edge_ + (event->angleDelta().y() > 0 ? 8 : -8));
    emit edgeChanged(edge_);
}

std::optional<GridPlace> SampleGrid::movedSideways(int key, GridPlace from) const {
    const bool right = key == Qt::Key_Right;
    const bool within = look_.pictures == Qt::Horizontal && stopsPerCell() > 1;
    if (within && (right ? from.picture + 1 < stopsPerCell() : from.picture > 0))
        return GridPlace{from.cell, right ? from.picture + 1 : from.picture - 1};
    const auto cell = right ? layout_.after(from.cell) : layout_.before(from.cell);
    if (!cell)
        return from;
    return GridPlace{*cell, !within ? from.picture : right ? 0 : stopsPerCell() - 1};
}

std::optional<GridPlace> SampleGrid::movedByLines(int key, GridPlace from) const {
    const bool down = key == Qt::Key_Down;
    const bool within = look_.pictures == Qt::Vertical && stopsPerCell() > 1;
    if (within && (down ? from.picture + 1 < stopsPerCell() : from.picture > 0))
        return GridPlace{from.cell, down ? from.picture + 1 : from.picture - 1};
    const std::size_t group = layout_.groupOf(from.cell);
    const std::size_t at = from.cell - layout_.group(group).first;
    const std::size_t step = layout_.perLine();
    if (down ? at + step >= layout_.visible(group) : at < step)
        return from; // no line there: stay
    return GridPlace{down ? from.cell + step : from.cell - step, !within ? from.picture
                                                                 : down  ? 0
                                                                         : stopsPerCell() - 1};
}

std::optional<std::size_t> SampleGrid::movedByPage(int key, std::size_t from) const {
    const int rows = std::max(1, viewport()->height() / layout_.sizes().line);
    const bool down = key == Qt::Key_PageDown;
    if (!layout_.hasHeaders()) {
        const std::size_t step = static_cast<std::size_t>(rows) * layout_.perLine();
        return down ? std::min(from + step, *layout_.lastVisible()) : from - std::min(from, step);
    }
    const std::int64_t here = layout_.linesTop(layout_.groupOf(from)) +
                              static_cast<std::int64_t>(layout_.lineOf(from)) * layout_.sizes().line;
    const std::int64_t there = std::clamp<std::int64_t>(
        here + (down ? 1 : -1) * std::int64_t{std::max(viewport()->height() - layout_.sizes().header, 1)}, 0,
        std::max<std::int64_t>(layout_.height() - 1, 0));
    const auto target = layout_.groupAt(there);
    if (!target)
        return std::nullopt;
    const std::int64_t line = std::max<std::int64_t>(0, there - layout_.linesTop(*target)) / layout_.sizes().line;
    return layout_.inLine(*target, static_cast<std::size_t>(line), layout_.columnOf(from));
}

std::optional<GridPlace> SampleGrid::moved(int key) const {
    const auto first = layout_.firstVisible();
    if (!first)
        return std::nullopt;
    std::optional<GridPlace> from = current_;
    if (from && !layout_.isVisible(from->cell)) {
        const auto before = layout_.before(from->cell);
        from = before ? std::optional(GridPlace{*before, 0}) : std::nullopt;
    }
    switch (key) {
    case Qt::Key_Home:
        return GridPlace{*first, 0};
    case Qt::Key_End:
        return GridPlace{*layout_.lastVisible(), stopsPerCell() - 1};
    case Qt::Key_Left:
    case Qt::Key_Right:
        return from ? movedSideways(key, *from) : GridPlace{*first, 0};
    case Qt::Key_Up:
    case Qt::Key_Down:
        return from ? movedByLines(key, *from) : GridPlace{*first, 0};
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        if (!from)
            return GridPlace{*first, 0};
        if (const auto cell = movedByPage(key, from->cell))
            return GridPlace{*cell, from->picture};
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

/// The heading that Up or Down leads to; none where it leads to a cell.
std::optional<std::size_t> SampleGrid::headingFrom(int key) const {
    if (!layout_.hasHeaders() || (key != Qt::Key_Up && key != Qt::Key_Down))
        return std::nullopt;
    if (heading_ || !current_ || !layout_.isVisible(current_->cell))
        return std::nullopt;
    const std::size_t group = layout_.groupOf(current_->cell);
    const std::size_t line = layout_.lineOf(current_->cell);
    if (key == Qt::Key_Up)
        return line == 0 ? std::optional(group) : std::nullopt;
    return line == layout_.lastLine(group) && group + 1 < layout_.groupCount() ? std::optional(group + 1)
                                                                               : std::nullopt;
}

/// The cell that an arrow key leads to from a heading.
std::optional<std::size_t> SampleGrid::cellFrom(std::size_t group, int key) const {
    switch (key) {
    case Qt::Key_Down:
        return layout_.inLine(group, 0, column_);
    case Qt::Key_Right:
        return layout_.group(group).first;
    case Qt::Key_Up:
        return group > 0 ? std::optional(layout_.inLine(group - 1, layout_.lastLine(group - 1), column_))
                         : std::nullopt;
    case Qt::Key_Left:
        return group > 0 ? layout_.before(layout_.group(group).first) : std::nullopt;
    default:
        return std::nullopt;
    }
}

bool SampleGrid::headingKey(QKeyEvent* event) {
    if (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
        return false;
    const int key = event->key();
    if (const auto group = headingFrom(key)) {
        column_ = layout_.columnOf(current_->cell);
        chooseGroup(*group, event->modifiers() & Qt::ShiftModifier);
        scrollIntoSight(headingRect(*group));
        return true;
    }
    if (!heading_)
        return false;
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) {
        setGroupOpen(*heading_, !layout_.isOpen(*heading_));
        return true;
    }
    const auto cell = cellFrom(*heading_, key);
    if (!cell)
        return key == Qt::Key_Up || key == Qt::Key_Left; // above the first heading there is nothing
    goTo({*cell, 0}, event->modifiers() & Qt::ShiftModifier);
    return true;
}

/// Space rejects the selected samples everywhere else. At a heading it opens and closes the group, as in any tree, and
/// where arrow keys do not choose it chooses.
bool SampleGrid::takesSpace() const {
    return heading_ || (look_.arrows == GridLook::Arrows::Walk && contents_->size() > 0);
}

bool SampleGrid::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && takesSpace()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

bool SampleGrid::walk(int key) {
    const auto to = moved(key);
    if (!to || (*to == current_ && !heading_))
        return false;
    goTo(*to, Qt::NoModifier);
    return true;
}

void SampleGrid::keyPressEvent(QKeyEvent* event) {
    if (look_.arrows == GridLook::Arrows::Walk && !current_ && contents_->size() > 0)
        current_ = GridPlace{};
    if (headingKey(event) || contents_->takesKey(event))
        return;
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (current_)
            inspect(*current_);
        return;
    }
    if (event->key() == Qt::Key_Space && takesSpace()) {
        choose(*current_, event->modifiers());
        return;
    }
    const auto to = event->modifiers() & Qt::AltModifier ? std::nullopt : moved(event->key());
    if (to && (*to != current_ || heading_))
        goTo(*to, event->modifiers() & Qt::ShiftModifier);
    else if (fits())
        event->ignore(); // of the scroll area around the grid
    else if (!to)
        QAbstractScrollArea::keyPressEvent(event);
}

void SampleGrid::announceCurrent() {
    announceCurrentStop(*this);
}

void SampleGrid::showHintAt(QPoint point, QPoint onScreen) {
    const auto showText = [&](const QString& text) {
        SampleCard::hide(viewport());
        QToolTip::showText(onScreen, text, this, QRect(point - QPoint(2, 2), QSize(5, 5)));
    };
    if (const auto group = headingAt(point)) {
        showText(tr("A click selects these %1 samples; a double click or Enter shows all of them, or the first ones.")
                     .arg(formatCount(layout_.group(*group).count)));
        return;
    }
    const auto cell = cellAt(point);
    if (const QString hint = cell && captionRect(*cell).contains(point) ? contents_->captionHint(*cell) : QString();
        !hint.isEmpty()) {
        showText(hint);
        return;
    }
    const auto place = placeAt(point);
    if (!place) {
        SampleCard::hide(viewport());
        QToolTip::hideText();
        return;
    }
    const Shown shown = shownAt(*place);
    SampleCard::show(viewport(), onScreen,
                     {shown.state, shown.sample, shown.cache, contents_->note(place->cell, place->picture)});
}

bool SampleGrid::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        selection_->hover(std::nullopt);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        showHintAt(help->pos(), help->globalPos());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace assay

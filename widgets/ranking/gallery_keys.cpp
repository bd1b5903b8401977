#include "widgets/ranking/gallery_view.h"

#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_picker.h"

#include <QKeyEvent>

#include <algorithm>

namespace assay {
namespace {

/// The tile of a line that is nearest to a column.
std::size_t inLine(const GalleryLayout& layout, std::size_t group, std::size_t line, int column) {
    const auto perLine = static_cast<std::size_t>(layout.sizes().columns);
    return layout.group(group).first +
           std::min(line * perLine + static_cast<std::size_t>(column), layout.visible(group) - 1);
}

std::size_t lastLine(const GalleryLayout& layout, std::size_t group) {
    return (layout.visible(group) - 1) / static_cast<std::size_t>(layout.sizes().columns);
}

} // namespace

std::optional<std::size_t> GalleryView::movedByLines(int key, std::size_t from) const {
    const std::size_t group = layout_.groupOf(from);
    const auto perLine = static_cast<std::size_t>(layout_.sizes().columns);
    const std::size_t at = from - layout_.group(group).first;
    if (key == Qt::Key_Up)
        return at >= perLine ? from - perLine : from; // no line there: stay
    return at + perLine < layout_.visible(group) ? from + perLine : from;
}

std::optional<std::size_t> GalleryView::movedByPage(int key, std::size_t from) const {
    const int rows = std::max(1, viewport()->height() / layout_.sizes().line);
    const bool down = key == Qt::Key_PageDown;
    if (!layout_.hasHeaders()) {
        const std::size_t step = static_cast<std::size_t>(rows) * static_cast<std::size_t>(layout_.sizes().columns);
        return down ? std::min(from + step, model_->size() - 1) : from - std::min(from, step);
    }
    const std::size_t group = layout_.groupOf(from);
    const std::size_t at = from - layout_.group(group).first;
    const auto perLine = static_cast<std::size_t>(layout_.sizes().columns);
    const std::int64_t here = layout_.linesTop(group) + static_cast<std::int64_t>(at / perLine) * layout_.sizes().line;
    const std::int64_t there = std::clamp<std::int64_t>(
        here + (down ? 1 : -1) * std::int64_t{std::max(viewport()->height() - layout_.sizes().header, 1)}, 0,
        std::max<std::int64_t>(layout_.height() - 1, 0));
    const auto target = layout_.groupAt(there);
    if (!target)
        return std::nullopt;
    const std::int64_t line = std::max<std::int64_t>(0, there - layout_.linesTop(*target)) / layout_.sizes().line;
    return inLine(layout_, *target, static_cast<std::size_t>(line), static_cast<int>(at % perLine));
}

std::optional<std::size_t> GalleryView::moved(int key, std::optional<std::size_t> from) const {
    if (model_->size() == 0)
        return std::nullopt;
    const auto visibleFrom = from && layout_.isVisible(*from) ? from : from ? layout_.before(*from) : std::nullopt;
    switch (key) {
    case Qt::Key_Home:
        return layout_.firstVisible();
    case Qt::Key_End:
        return layout_.lastVisible();
    case Qt::Key_Left:
        return visibleFrom ? layout_.before(*visibleFrom).value_or(*visibleFrom) : layout_.firstVisible();
    case Qt::Key_Right:
        return visibleFrom ? layout_.after(*visibleFrom).value_or(*visibleFrom) : layout_.firstVisible();
    case Qt::Key_Up:
    case Qt::Key_Down:
        return visibleFrom ? movedByLines(key, *visibleFrom) : layout_.firstVisible();
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        return visibleFrom ? movedByPage(key, *visibleFrom) : layout_.firstVisible();
    default:
        return std::nullopt;
    }
}

std::optional<std::size_t> GalleryView::headerFrom(int key) const {
    if (!layout_.hasHeaders() || (key != Qt::Key_Up && key != Qt::Key_Down))
        return std::nullopt;
    const auto focus = picker_->focusPosition();
    if (header_ || !focus || !layout_.isVisible(*focus))
        return std::nullopt;
    const std::size_t group = layout_.groupOf(*focus);
    const std::size_t line = (*focus - layout_.group(group).first) / static_cast<std::size_t>(layout_.sizes().columns);
    if (key == Qt::Key_Up)
        return line == 0 ? std::optional(group) : std::nullopt;
    return line == lastLine(layout_, group) && group + 1 < layout_.groupCount() ? std::optional(group + 1)
                                                                                : std::nullopt;
}

std::optional<std::size_t> GalleryView::tileFrom(std::size_t group, int key) const {
    switch (key) {
    case Qt::Key_Down:
        return inLine(layout_, group, 0, column_);
    case Qt::Key_Right:
        return layout_.group(group).first;
    case Qt::Key_Up:
        return group > 0 ? std::optional(inLine(layout_, group - 1, lastLine(layout_, group - 1), column_))
                         : std::nullopt;
    case Qt::Key_Left:
        return group > 0 ? layout_.before(layout_.group(group).first) : std::nullopt;
    default:
        return std::nullopt;
    }
}

bool GalleryView::headerKey(QKeyEvent* event) {
    if (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
        return false;
    const int key = event->key();
    if (const auto group = headerFrom(key)) {
        const std::size_t focus = *picker_->focusPosition();
        column_ = static_cast<int>((focus - layout_.group(layout_.groupOf(focus)).first) %
                                   static_cast<std::size_t>(layout_.sizes().columns));
        selectGroup(*group, event->modifiers() & Qt::ShiftModifier);
        scrollIntoSight(headerRect(*group));
        return true;
    }
    if (!header_)
        return false;
    const std::size_t group = *header_;
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) {
        setGroupOpen(group, !layout_.isOpen(group));
        return true;
    }
    const auto tile = tileFrom(group, key);
    if (!tile)
        return key == Qt::Key_Up || key == Qt::Key_Left; // above the first header there is nothing
    picker_->click(*tile, event->modifiers() & Qt::ShiftModifier);
    return true;
}

bool GalleryView::event(QEvent* event) {
    // Space rejects the selected samples everywhere else. At a header it opens and closes the group, as in any tree:
    // whoever wants to see a group must not reject it.
    if (event->type() == QEvent::ShortcutOverride && header_) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void GalleryView::keyPressEvent(QKeyEvent* event) {
    if (headerKey(event))
        return;
    const auto move = [this](int key, std::optional<std::size_t> from) { return moved(key, from); };
    if (!picker_->key(event, move))
        QAbstractScrollArea::keyPressEvent(event);
}

} // namespace assay

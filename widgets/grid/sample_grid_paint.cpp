#include "widgets/common/colors.h"
#include "widgets/grid/grid_sizes.h"
#include "widgets/grid/sample_grid.h"
#include "widgets/grid/sample_marks.h"
#include "widgets/link/feature_glyphs.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/thumbnail_cache.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>

namespace assay {

using namespace grid;

namespace {

constexpr GridPlace kNowhere{static_cast<std::size_t>(-1), 0};

bool isRejected(const ViewState& state, const GridPicture& picture) {
    return !picture.heldOut && state.hasModel() && picture.sample.set == state.currentSet() &&
           !state.isKept(picture.sample.row);
}

QColor setColor(SampleId sample, const QPalette& palette) {
    return isReal(sample.set) ? colors::real(palette) : colors::synthetic(palette);
}

} // namespace

QString SampleGrid::badgeText(const GridBadge& badge) const {
    const QFontMetrics metrics(captionFont());
    const int room = edge_ - 6 - kChipMargin;
    const bool fits = !badge.word.isEmpty() && metrics.horizontalAdvance(badge.word) <= room;
    return fits ? badge.word : metrics.elidedText(badge.brief, Qt::ElideRight, edge_ / 2);
}

/// In words: colour alone would not tell one verdict from another.
void SampleGrid::paintBadge(QPainter& painter, const GridBadge& badge, const QRect& picture, Qt::Corner corner) const {
    const QString text = badgeText(badge);
    if (text.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(captionFont());
    const int width = painter.fontMetrics().horizontalAdvance(text) + kChipMargin;
    const int left = corner == Qt::TopLeftCorner ? picture.left() + 3 : picture.right() - width - 2;
    const QRect area(left, picture.top() + 3, width, painter.fontMetrics().height());
    painter.setPen(Qt::NoPen);
    painter.setBrush(badge.color.isValid() ? badge.color : palette().color(QPalette::Base));
    painter.drawRoundedRect(area, 3, 3);
    painter.setPen(palette().color(badge.color.isValid() ? QPalette::Base : QPalette::Text));
    painter.drawText(area, Qt::AlignCenter, text);
    painter.restore();
}

void SampleGrid::paintMarks(QPainter& painter, const GridPicture& picture, const QRect& area) const {
    const ViewState& state = contents_->state(picture.heldOut);
    paintBadge(painter, picture.tag, area, Qt::TopLeftCorner);
    paintBadge(painter, picture.badge, area, Qt::TopRightCorner);
    if (picture.heldOut)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    if (state.isAccepted(picture.sample))
        paintDecisionMark(painter, DecisionMark::Check, area, palette());
    else if (state.isUnsure(picture.sample))
        paintDecisionMark(painter, DecisionMark::QuestionMark, area, palette());
    else if (isRejected(state, picture))
        paintDecisionMark(painter, DecisionMark::Cross, area, palette());
    if (!state.noteOf(picture.sample).empty())
        paintNoteMark(painter, area, palette());
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void SampleGrid::paintPicture(QPainter& painter, const GridPicture& picture, GridPlace place) const {
    const QRect area = pictureRect(place);
    const ViewState& state = contents_->state(picture.heldOut);
    painter.setOpacity(isRejected(state, picture) ? kRejectedOpacity : 1.0);
    if (picture.bars)
        paintFeatureBars(painter, area, picture.bars->scoresOf(*state.audit, picture.sample), picture.bars->reference,
                         palette(), setColor(picture.sample, palette()));
    else
        cacheOf(picture)->paint(painter, area, picture.sample, palette(), picture.tint);
    painter.setOpacity(1.0);
    if (picture.strip.isValid())
        painter.fillRect(QRect(area.left(), area.bottom() + 1, area.width(), kStrip), picture.strip);
    if (picture.rimmed) {
        painter.setPen(QPen(setColor(picture.sample, palette()), 2));
        painter.drawRect(area.adjusted(-1, -1, 0, 0));
    }
    paintMarks(painter, picture, area);
    if (!picture.heldOut)
        paintSelectionFrame(painter, area, selectionMark(*selection_, picture.sample), palette());
    if (!picture.caption.isEmpty() && look_.pictureCaptions) {
        painter.setFont(captionFont());
        const QRect line(area.left(), area.bottom() + 1 + kStrip + kCaptionGap, area.width(),
                         painter.fontMetrics().height());
        painter.setPen(colors::mutedText(palette()));
        painter.drawText(line, Qt::AlignCenter,
                         painter.fontMetrics().elidedText(picture.caption, Qt::ElideMiddle, line.width()));
        painter.setFont(font());
    }
    const GridPlace keys = current_.value_or(look_.arrows == GridLook::Arrows::Walk ? GridPlace{} : kNowhere);
    const bool hasKeys = hasFocus() && !heading_ &&
                         (stopsPerCell() == 1 ? keys.cell == place.cell && place.picture == 0 : keys == place);
    // In a cell of one sample the bold frame says it already.
    if (hasKeys && (stopsPerCell() > 1 || selection_->focus() != picture.sample)) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DashLine));
        painter.drawRect(area.adjusted(-4, -4, 3, 3));
    }
}

/// A dot within a ring for inside, a dot beside a ring for outside. @return the width that it took
int SampleGrid::paintSign(QPainter& painter, GridSign sign, const QRect& line, int textWidth) const {
    if (sign == GridSign::None)
        return 0;
    const int size = std::max(7, line.height() - 7);
    const int icon = size + (sign == GridSign::Inside ? 4 : 9);
    const int left = line.left() + std::max(0, (line.width() - icon - textWidth) / 2);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1.2));
    const QRectF ring(left + 0.5, line.center().y() - size / 2.0 + 0.5, size, size);
    painter.drawEllipse(ring);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::WindowText));
    painter.drawEllipse(sign == GridSign::Inside ? ring.center() : QPointF(ring.right() + 3.5, ring.center().y()), 2.0,
                        2.0);
    painter.restore();
    return icon;
}

void SampleGrid::paintCaption(QPainter& painter, const GridCell& cell, std::size_t at) const {
    const QRect area = captionRect(at);
    if (area.isEmpty() || cell.caption.isEmpty())
        return;
    QFont small = captionFont();
    const QFontMetrics metrics(small);
    QRect line(area.topLeft(), QSize(area.width(), metrics.height()));
    painter.setPen(palette().color(QPalette::WindowText));
    const QStringList parts =
        captionLines_ == 1 ? QStringList{cell.caption} : captionParts(cell.caption, metrics, line.width());
    for (const QString& part : parts) {
        small.setBold(cell.marked && line.top() == area.top());
        painter.setFont(small);
        const QString text = painter.fontMetrics().elidedText(part, Qt::ElideRight, line.width());
        const bool last = &part == &parts.last();
        const int icon = last ? paintSign(painter, cell.sign, line, metrics.horizontalAdvance(text)) : 0;
        painter.drawText(line.adjusted(icon, 0, 0, 0), Qt::AlignCenter, text);
        line.translate(0, line.height());
    }
    painter.setFont(font());
}

void SampleGrid::paintCell(QPainter& painter, std::size_t at) const {
    const GridCell cell = contents_->cell(at, palette());
    if (cell.marked) {
        const QRect first = pictureRect({at, 0});
        const QRect last = pictureRect({at, cell.pictures.size() - 1});
        painter.fillRect(QRect(first.left(), first.bottom() + 1, last.right() - first.left() + 1, kStrip),
                         colors::unauthentic(palette()));
    }
    for (std::size_t picture = 0; picture < cell.pictures.size(); ++picture)
        paintPicture(painter, cell.pictures[picture], {at, picture});
    paintCaption(painter, cell, at);
}

void SampleGrid::paintHeading(QPainter& painter, std::size_t group) const {
    const QRect area = headingRect(group);
    painter.fillRect(area, palette().color(QPalette::AlternateBase));
    if (heading_ == group) {
        painter.setPen(QPen(colors::selected(palette()), 2));
        painter.drawRect(area.adjusted(1, 1, -1, -1));
    }
    QRect text = area.adjusted(kHeadingMargin, 0, -kHeadingMargin, 0);
    if (const auto sample = contents_->headingSample(group)) {
        const QRect picture(text.left(), area.center().y() - kHeadingPicture / 2 + 1, kHeadingPicture, kHeadingPicture);
        cache_->paint(painter, picture, *sample, palette());
        text.setLeft(picture.right() + look_.gap);
    }
    const QRect fold = foldRect(group);
    if (!fold.isEmpty()) {
        painter.setPen(palette().color(QPalette::Link));
        painter.drawText(fold, Qt::AlignCenter, foldText(group));
        text.setRight(fold.left() - look_.gap);
    }
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(contents_->headingText(group), Qt::ElideRight, text.width()));
    painter.setFont(font());
}

void SampleGrid::paintRowTitles(QPainter& painter, int top) const {
    painter.setPen(colors::mutedText(palette()));
    QRect room(margin(), top, titlesWidth() - look_.gap, pictureSize(edge_).height());
    for (const QString& title : look_.rowTitles) {
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, title);
        room.translate(0, room.height() + kStrip + kBetweenStacked);
    }
}

void SampleGrid::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    if (!fits())
        painter.fillRect(event->rect(), palette().color(QPalette::Base));
    lastPainted_ = 0;
    const std::int64_t top = heightAt(event->rect().top());
    const std::int64_t bottom = heightAt(event->rect().bottom());
    const auto begin = layout_.groupAt(std::max<std::int64_t>(top, 0));
    for (std::size_t group = begin.value_or(layout_.groupCount());
         group < layout_.groupCount() && layout_.headerTop(group) <= bottom; ++group) {
        if (layout_.hasHeaders())
            paintHeading(painter, group);
        const std::int64_t lines = layout_.linesTop(group);
        const std::int64_t line = layout_.sizes().line;
        const auto first =
            static_cast<std::size_t>(std::max<std::int64_t>(0, (top - lines) / line)) * layout_.perLine();
        for (std::size_t at = first; at < layout_.visible(group); ++at) {
            if (at % layout_.perLine() == 0) {
                const std::int64_t y = lines + static_cast<std::int64_t>(at / layout_.perLine()) * line;
                if (y > bottom)
                    break;
                paintRowTitles(painter, yOf(y));
            }
            paintCell(painter, layout_.group(group).first + at);
            ++lastPainted_;
        }
    }
}

} // namespace assay

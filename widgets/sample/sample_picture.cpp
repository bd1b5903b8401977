#include "widgets/sample/sample_picture.h"

#include "widgets/common/colors.h"
#include "widgets/grid/sample_card.h"
#include "widgets/grid/sample_texts.h"
#include "widgets/link/thumbnail_cache.h"

#include <QHelpEvent>
#include <QPainter>

#include <algorithm>

namespace assay {
namespace {

constexpr int kFrame = 2;
constexpr int kSmallestPicture = 24;

} // namespace

SamplePicture::SamplePicture(ThumbnailCache* cache, QWidget* parent) : QAbstractButton(parent), cache_(cache) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

void SamplePicture::setSample(const ViewState& state, SampleId sample, const QString& part) {
    state_ = state;
    sample_ = sample;
    part_ = part;
    const EmbeddingSet& set = state.audit->setOf(sample.set);
    id_ = QString::fromStdString(set.idText(sample.row));
    class_ =
        set.hasLabel(sample.row) ? tr(", class %1").arg(QString::fromStdString(set.labelText(sample.row))) : QString();
    setAccessibleName(tr("%1: %2").arg(part_, id_ + class_));
    update();
}

void SamplePicture::clear() {
    state_ = {};
    sample_.reset();
}

void SamplePicture::setSide(Qt::Alignment side) {
    side_ = side;
    update();
}

int SamplePicture::captionHeight() const {
    return 2 * fontMetrics().height() + 2;
}

QRect SamplePicture::picture() const {
    const int edge = std::min(width(), height() - captionHeight()) - 2 * kFrame;
    const int room = width() - edge;
    const int left = side_ == Qt::AlignLeft ? kFrame : side_ == Qt::AlignRight ? room - kFrame : room / 2;
    return edge < kSmallestPicture ? QRect() : QRect(left, kFrame, edge, edge);
}

bool SamplePicture::event(QEvent* event) {
    if (sample_ && (event->type() == QEvent::Enter || event->type() == QEvent::Leave))
        emit hovered(*sample_, event->type() == QEvent::Enter);
    if (sample_ && event->type() == QEvent::ToolTip) {
        SampleCard::show(this, static_cast<QHelpEvent*>(event)->globalPos(), {state_, *sample_, cache_});
        return true;
    }
    return QAbstractButton::event(event);
}

/// Id and class. A long id is cut in the middle so that the class stays, unless the class takes most of the room.
QString SamplePicture::nameFor(const QFontMetrics& metrics) const {
    const int room = width() - 2;
    const int rest = room - metrics.horizontalAdvance(class_);
    if (metrics.horizontalAdvance(id_) <= rest)
        return id_ + class_;
    return rest > room / 2 ? metrics.elidedText(id_, Qt::ElideMiddle, rest) + class_
                           : metrics.elidedText(id_, Qt::ElideMiddle, room);
}

void SamplePicture::paintEvent(QPaintEvent*) {
    if (!sample_)
        return;
    QPainter painter(this);
    const QColor color = isReal(sample_->set) ? colors::real(palette()) : colors::synthetic(palette());
    const QRect area = picture();
    if (!area.isEmpty()) {
        cache_->paint(painter, area, *sample_, palette(), color);
        painter.setPen(QPen(color, kFrame));
        painter.drawRect(area.adjusted(-1, -1, 0, 0));
    }
    const QFontMetrics metrics = fontMetrics();
    QRect line(0, height() - captionHeight() + 2, width(), metrics.height());
    painter.setPen(colors::mutedText(palette()));
    painter.drawText(line, side_ | Qt::AlignVCenter, metrics.elidedText(part_, Qt::ElideRight, width()));
    line.translate(0, metrics.height());
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(line, side_ | Qt::AlignVCenter, nameFor(QFontMetrics(bold)));
    if (hasFocus() || (underMouse() && focusPolicy() != Qt::NoFocus)) {
        painter.setPen(QPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Mid), 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace assay

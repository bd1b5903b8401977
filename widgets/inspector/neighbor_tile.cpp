#include "widgets/inspector/neighbor_tile.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/samples/feature_bars.h"
#include "widgets/samples/sample_card.h"
#include "widgets/samples/sample_tooltip.h"
#include "widgets/link/thumbnail_cache.h"

#include <QHelpEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr int kTilePicture = 54;
constexpr int kBarsHeight = 36;
constexpr double kTwice = 0.995; // gap from which on a factor is shorter than a percentage: "+100 %" has no room

} // namespace

NeighborTile::NeighborTile(ThumbnailCache* cache, QWidget* parent) : QAbstractButton(parent), cache_(cache) {
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
}

int NeighborTile::heightFor(const QFontMetrics& metrics, bool flat) {
    return (flat ? kBarsHeight : kTilePicture) + 5 + 2 * metrics.height();
}

void NeighborTile::setNeighbor(const ViewState& state, const NeighborRelation& relation,
                               std::shared_ptr<const BarFeatures> bars, Ball ball) {
    const bool other = relation_ && relation_->neighbor != relation.neighbor;
    state_ = state;
    relation_ = relation;
    ball_ = ball;
    bars_ = std::move(bars);
    scores_ = bars_ ? bars_->scoresOf(*state.audit, relation.neighbor) : std::vector<double>();
    setAccessibleName(
        tr("%1, distance %2, %3")
            .arg(sampleCaption(*state.audit, relation.neighbor), formatNumber(relation.distance), relationWords()));
    if (other && underMouse())
        emit hovered(relation.neighbor, true);
    update();
}

void NeighborTile::clear() {
    state_ = {};
    relation_.reset();
    bars_.reset();
    scores_.clear();
}

void NeighborTile::paintEvent(QPaintEvent*) {
    if (!relation_)
        return;
    QPainter painter(this);
    const QFontMetrics metrics = fontMetrics();
    const QRect picture((width() - kTilePicture) / 2, 2, kTilePicture, height() - 5 - 2 * metrics.height());
    const QColor color = isReal(relation_->neighbor.set) ? colors::real(palette()) : colors::synthetic(palette());
    if (bars_ && state_.audit)
        paintFeatureBars(painter, picture, scores_, bars_->reference, palette(), color);
    else
        cache_->paint(painter, picture, relation_->neighbor, palette(), color);
    painter.setPen(QPen(color, 2));
    painter.drawRect(picture.adjusted(-1, -1, 0, 0));
    if (hasFocus() || underMouse()) {
        painter.setPen(QPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Mid), 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    QRect line(0, picture.bottom() + 3, width(), metrics.height());
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(line, Qt::AlignCenter, formatNumber(relation_->distance));
    line.translate(0, metrics.height());
    paintRelation(painter, line);
}

bool NeighborTile::event(QEvent* event) {
    if (!relation_)
        return QAbstractButton::event(event);
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        emit hovered(relation_->neighbor, event->type() == QEvent::Enter);
    if (event->type() == QEvent::ToolTip) {
        SampleCard::show(this, static_cast<QHelpEvent*>(event)->globalPos(),
                         {state_, relation_->neighbor, cache_, {}, relationText()});
        return true;
    }
    return QAbstractButton::event(event);
}

QString NeighborTile::relationWords() const {
    if (relation_->inside)
        return tr("inside");
    const double miss = relation_->relativeGap();
    if (!std::isfinite(miss))
        return tr("outside");
    // As few digits as fit below a picture.
    constexpr double kSmall = 0.01;
    return miss < kTwice ? tr("+%1 %").arg(formatSignificant(100.0 * miss, miss < kSmall ? 1 : 2))
                         : tr("\u00d7%1").arg(formatSignificant(miss + 1.0, 2));
}

/// A dot within a ring for inside, a dot beside a ring for outside.
void NeighborTile::paintRelation(QPainter& painter, const QRect& line) const {
    const QString words = relationWords();
    const int ringSize = std::max(7, line.height() - 7);
    const int icon = ringSize + (relation_->inside ? 4 : 9);
    const int used = icon + fontMetrics().horizontalAdvance(words);
    const int left = line.left() + std::max(0, (line.width() - used) / 2);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1.2));
    const QRectF ring(left + 0.5, line.center().y() - ringSize / 2.0 + 0.5, ringSize, ringSize);
    painter.drawEllipse(ring);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::WindowText));
    const QPointF beside(ring.right() + 3.5, ring.center().y());
    painter.drawEllipse(relation_->inside ? ring.center() : beside, 2.0, 2.0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(left + icon, line.top(), line.width() - left - icon, line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, words);
}

QString NeighborTile::relationText() const {
    const double miss = relation_->relativeGap();
    const QString radius = formatNumber(relation_->radius);
    const bool own = ball_ == Ball::Inspected;
    QString words;
    if (relation_->inside)
        words = own ? tr("Dot in the ring: this sample lies in the ball of the inspected one (radius %1).").arg(radius)
                    : tr("Dot in the ring: the inspected sample lies in this sample's ball (radius %1).").arg(radius);
    else
        words = own ? tr("Dot beside the ring: this sample lies outside the ball of the inspected one (radius %1).")
                          .arg(radius)
                    : tr("Dot beside the ring: the inspected sample lies outside this sample's ball (radius %1).")
                          .arg(radius);
    if (!relation_->inside && std::isfinite(miss))
        words += u' ' + (miss < kTwice
                             ? tr("It is %1 farther away than the ball reaches.")
                                   .arg(formatPercent(miss).replace(u' ', QChar::Nbsp))
                             : tr("It is %1 times as far away as the ball reaches.").arg(formatNumber(miss + 1.0)));
    const QString ball =
        own ? tr("The ball of a real sample reaches to its k-th nearest real neighbour.")
        : isReal(relation_->neighbor.set)
            ? tr("The ball of a real sample reaches to its k-th nearest real neighbour; it counts up to the usual size "
                 "(the median radius) only.")
            : tr("The ball of a synthetic sample reaches to its k-th nearest synthetic neighbour.");
    QString text = QStringLiteral("<p>%1</p><p>%2</p>").arg(words, ball);
    if (bars_)
        text += QStringLiteral("<p>%1</p>")
                    .arg(tr("Bars: the features in which the inspected sample and its nearest one differ most, as "
                            "standard deviations above or below the real mean. The marks are the inspected sample."));
    return text;
}

} // namespace assay

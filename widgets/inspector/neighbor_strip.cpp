#include "widgets/inspector/neighbor_strip.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/samples/sample_tooltip.h"
#include "widgets/samples/thumbnail_cache.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QEnterEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr int kTileWidth = 66;
constexpr int kPicture = 58;
constexpr int kGap = 4;

/// One neighbour: picture, distance, and a sign with words for inside or outside.
class NeighborTile : public QAbstractButton {
    Q_DECLARE_TR_FUNCTIONS(assay::NeighborTile)

public:
    NeighborTile(ThumbnailCache* cache, const ViewState& state, const NeighborRelation& relation, NeighborStrip* strip)
        : QAbstractButton(strip), cache_(cache), state_(state), relation_(relation), strip_(strip) {
        setCursor(Qt::PointingHandCursor);
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleName(
            tr("%1, distance %2, %3")
                .arg(sampleCaption(*state.audit, relation.neighbor), formatNumber(relation.distance), relationWords()));
    }

    static int heightFor(const QFontMetrics& metrics) { return kPicture + 6 + 2 * metrics.height(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const QRect picture((width() - kPicture) / 2, 2, kPicture, kPicture);
        const bool real = isReal(relation_.neighbor.set);
        cache_->paint(painter, picture, relation_.neighbor, palette(),
                      (real ? colors::real(palette()) : colors::synthetic(palette())));
        painter.setPen(QPen(real ? colors::real(palette()) : colors::synthetic(palette()), 2));
        painter.drawRect(picture.adjusted(-1, -1, 0, 0));
        if (hasFocus() || underMouse()) {
            painter.setPen(QPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Mid), 1));
            painter.drawRect(rect().adjusted(0, 0, -1, -1));
        }
        const QFontMetrics metrics = fontMetrics();
        QRect line(0, kPicture + 5, width(), metrics.height());
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(line, Qt::AlignCenter, formatNumber(relation_.distance));
        line.translate(0, metrics.height());
        paintRelation(painter, line);
    }

    bool event(QEvent* event) override {
        switch (event->type()) {
        case QEvent::Enter:
            emit strip_->hovered(relation_.neighbor, true);
            break;
        case QEvent::Leave:
            emit strip_->hovered(relation_.neighbor, false);
            break;
        case QEvent::ToolTip:
            QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), toolTipText(), this);
            return true;
        default:
            break;
        }
        return QAbstractButton::event(event);
    }

private:
    QString relationWords() const {
        if (relation_.inside)
            return tr("inside");
        const double miss = relation_.relativeGap();
        if (!std::isfinite(miss))
            return tr("outside");
        return miss < 10.0 ? tr("+%1").arg(formatPercent(miss)) : tr("\u00d7 %1").arg(formatNumber(miss + 1.0));
    }

    /// A dot within a ring for inside, a dot beside a ring for outside.
    void paintRelation(QPainter& painter, const QRect& line) const {
        const QString words = relationWords();
        const int ringSize = std::max(7, line.height() - 7);
        const int icon = ringSize + (relation_.inside ? 4 : 9);
        const int used = icon + fontMetrics().horizontalAdvance(words);
        const int left = line.left() + std::max(0, (line.width() - used) / 2);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1.2));
        const QRectF ring(left + 0.5, line.center().y() - ringSize / 2.0 + 0.5, ringSize, ringSize);
        painter.drawEllipse(ring);
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette().color(QPalette::WindowText));
        const QPointF beside(ring.right() + 3.5, ring.center().y());
        painter.drawEllipse(relation_.inside ? ring.center() : beside, 2.0, 2.0);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRect(left + icon, line.top(), line.width() - left - icon, line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, words);
    }

    QString toolTipText() const {
        const double miss = relation_.relativeGap();
        QString words = tr("The inspected sample lies inside this sample's ball (radius %1).");
        if (!relation_.inside)
            words = std::isfinite(miss)
                        ? tr("The inspected sample is outside this sample's ball (radius %1): it misses by %2 of the "
                             "radius.")
                              .arg(QStringLiteral("%1"), formatPercent(miss))
                        : tr("The inspected sample is outside this sample's ball (radius %1).");
        return sampleToolTip(state_, relation_.neighbor) +
               QStringLiteral("<p>%1</p><p>%2</p>")
                   .arg(words.arg(formatNumber(relation_.radius)),
                        isReal(relation_.neighbor.set)
                            ? tr("Balls of real samples reach to their k-th real neighbour, at most the median radius.")
                            : tr("Balls of synthetic samples reach to their k-th synthetic neighbour."));
    }

    ThumbnailCache* cache_;
    ViewState state_;
    NeighborRelation relation_;
    NeighborStrip* strip_;
};

} // namespace

NeighborStrip::NeighborStrip(ThumbnailCache* cache, QWidget* parent) : QWidget(parent), cache_(cache) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void NeighborStrip::setNeighbors(const ViewState& state, const std::vector<NeighborRelation>& neighbors) {
    for (QWidget* tile : std::exchange(tiles_, {})) {
        tile->hide();
        tile->deleteLater(); // its click may be what brought us here
        tile->setObjectName(QString());
    }
    for (const NeighborRelation& relation : neighbors) {
        auto* tile = new NeighborTile(cache_, state, relation, this);
        tile->setObjectName(QStringLiteral("%1Tile%2").arg(objectName()).arg(tiles_.size()));
        connect(tile, &QAbstractButton::clicked, this, [this, id = relation.neighbor] { emit chosen(id); });
        tile->show();
        tiles_.push_back(tile);
    }
    arrange();
    updateGeometry();
}

int NeighborStrip::columnsFor(int width) const {
    return std::max(1, (width + kGap) / (kTileWidth + kGap));
}

int NeighborStrip::heightForWidth(int width) const {
    const int perLine = columnsFor(width);
    const int lines = (static_cast<int>(tiles_.size()) + perLine - 1) / perLine;
    return lines * (NeighborTile::heightFor(fontMetrics()) + kGap);
}

QSize NeighborStrip::sizeHint() const {
    const int count = std::max(1, static_cast<int>(tiles_.size()));
    const int width = count * (kTileWidth + kGap) - kGap;
    return {width, heightForWidth(width)};
}

QSize NeighborStrip::minimumSizeHint() const {
    return {kTileWidth, heightForWidth(std::max(width(), kTileWidth))};
}

void NeighborStrip::resizeEvent(QResizeEvent*) {
    arrange();
}

void NeighborStrip::arrange() {
    const int perLine = columnsFor(width());
    const int tileHeight = NeighborTile::heightFor(fontMetrics());
    for (std::size_t at = 0; at < tiles_.size(); ++at) {
        const int line = static_cast<int>(at) / perLine;
        const int column = static_cast<int>(at) % perLine;
        tiles_[at]->setGeometry(column * (kTileWidth + kGap), line * (tileHeight + kGap), kTileWidth, tileHeight);
    }
}

} // namespace assay

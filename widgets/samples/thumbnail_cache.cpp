#include "widgets/samples/thumbnail_cache.h"

#include "widgets/classes/class_text.h"
#include "widgets/common/colors.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace assay {
namespace {

QImage::Format formatOf(std::size_t channels) {
    if (channels == 1)
        return QImage::Format_Grayscale8;
    return channels == 3 ? QImage::Format_RGB888 : QImage::Format_RGBA8888;
}

void paintTile(QPainter& painter, const QRect& area, const EmbeddingSet& set, std::size_t row, const QPalette& palette,
               const QColor& tint) {
    const QColor back = tint.isValid() ? tint : palette.color(QPalette::AlternateBase);
    painter.fillRect(area, back);
    const bool bright = back.lightnessF() > 0.5F;
    painter.setPen(bright ? QColor(0x1B1E22) : QColor(0xF4F6F8));
    QFont font = painter.font();
    font.setPixelSize(std::clamp(area.height() / 5, 8, 22));
    painter.setFont(font);
    const QFontMetrics metrics(font);
    const QRect inner = area.adjusted(2, 2, -2, -2);
    const QString id = metrics.elidedText(QString::fromStdString(set.idText(row)), Qt::ElideMiddle, inner.width());
    if (!set.hasLabels()) {
        painter.drawText(inner, Qt::AlignCenter, id);
        return;
    }
    const QString label = metrics.elidedText(classText(set.labelText(row)), Qt::ElideRight, inner.width());
    const QRect upper(inner.left(), inner.top(), inner.width(), inner.height() / 2);
    painter.drawText(upper, Qt::AlignHCenter | Qt::AlignBottom, id);
    const QRect lower(inner.left(), upper.bottom() + 1, inner.width(), inner.height() - upper.height());
    painter.drawText(lower, Qt::AlignHCenter | Qt::AlignTop, label);
}

} // namespace

QImage sampleImage(const EmbeddingSet& set, std::size_t row) {
    const ImageStore* store = set.images();
    if (!store || store->bytesPerImage() == 0)
        return {};
    const auto pixels = store->image(row);
    const int width = static_cast<int>(store->width());
    const int height = static_cast<int>(store->height());
    QImage image(width, height, formatOf(store->channels()));
    const std::size_t line = store->width() * store->channels();
    for (int y = 0; y < height; ++y) // QImage pads its lines to four bytes
        std::memcpy(image.scanLine(y), pixels.data() + static_cast<std::size_t>(y) * line, line);
    return image;
}

ThumbnailCache::ThumbnailCache(qsizetype capacityBytes) : pixmaps_(capacityBytes) {}

void ThumbnailCache::setAudit(std::shared_ptr<const AuditResult> audit) {
    if (audit == audit_)
        return;
    audit_ = std::move(audit);
    pixmaps_.clear();
}

bool ThumbnailCache::contains(SampleId id) const noexcept {
    if (!audit_ || (!isReal(id.set) && modelIndex(id.set) >= audit_->models.size()))
        return false;
    return id.row < audit_->setOf(id.set).rows();
}

QPixmap ThumbnailCache::thumbnail(SampleId id, int edge, qreal devicePixelRatio) {
    if (!contains(id) || edge <= 0)
        return {};
    const int pixels = std::max(1, static_cast<int>(std::lround(edge * devicePixelRatio)));
    const Key key{id, pixels};
    QPixmap result;
    if (const QPixmap* held = pixmaps_.object(key)) {
        result = *held;
    } else {
        const QImage image = sampleImage(audit_->setOf(id.set), id.row);
        if (image.isNull())
            return {};
        ++decoded_;
        const bool enlarge = image.width() < pixels && image.height() < pixels;
        const auto how = enlarge ? Qt::FastTransformation : Qt::SmoothTransformation;
        result = QPixmap::fromImage(image.scaled(pixels, pixels, Qt::KeepAspectRatio, how));
        const auto cost = static_cast<qsizetype>(result.width()) * result.height() * 4;
        pixmaps_.insert(key, new QPixmap(result), cost);
    }
    result.setDevicePixelRatio(devicePixelRatio);
    return result;
}

void ThumbnailCache::paint(QPainter& painter, const QRect& area, SampleId id, const QPalette& palette,
                           const QColor& tint) {
    if (!contains(id))
        return;
    painter.save();
    const int edge = std::min(area.width(), area.height());
    const QPixmap picture = thumbnail(id, edge, painter.device()->devicePixelRatioF());
    if (picture.isNull()) {
        paintTile(painter, area, audit_->setOf(id.set), id.row, palette, tint);
    } else {
        const QSizeF size = picture.deviceIndependentSize();
        painter.drawPixmap(QPointF(area.left() + (area.width() - size.width()) / 2.0,
                                   area.top() + (area.height() - size.height()) / 2.0),
                           picture);
    }
    painter.restore();
}

} // namespace assay

#include "widgets/link/thumbnail_cache.h"

#include "widgets/common/colors.h"
#include "widgets/text/names.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPalette>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace assay {
namespace {

QImage::Format formatOf(std::size_t channels) {
    if (channels == 1)
        return QImage::Format_Grayscale8;
    return channels == 3 ? QImage::Format_RGB888 : QImage::Format_RGBA8888;
}

/// What a tile without a picture says of its sample, by lines.
QStringList tileLines(const EmbeddingSet& set, std::size_t row) {
    QStringList lines{QString::fromStdString(set.idText(row))};
    if (set.hasLabel(row))
        lines << classText(set.labelText(row));
    return lines;
}

/// Nothing of it can be seen: what an audit file holds of a sample without a picture, among pictures with transparency.
bool isTransparent(std::span<const std::uint8_t> pixels, std::size_t channels) {
    if (channels != 4)
        return false;
    for (std::size_t at = 3; at < pixels.size(); at += 4)
        if (pixels[at] != 0)
            return false;
    return true;
}

int devicePixels(int edge, qreal ratio) {
    return std::max(1, static_cast<int>(std::lround(edge * ratio)));
}

/// What tells an id from others where there is no room for all of it: of a path the file's name without its extension.
QString briefId(const QString& id) {
    constexpr qsizetype kLongestExtension = 6; // with the point
    const QString name = id.section(QLatin1Char('/'), -1);
    const qsizetype point = name.lastIndexOf(QLatin1Char('.'));
    return point > 0 && name.size() - point <= kLongestExtension ? name.left(point) : name;
}

/// @param lines the id first  @param remark a last line, small enough to be read whole; empty for none
void paintTile(QPainter& painter, const QRect& area, QStringList lines, const QString& remark, const QColor& back) {
    painter.fillRect(area, back);
    const bool bright = back.lightnessF() > 0.5F;
    painter.setPen(bright ? QColor(0x1B1E22) : QColor(0xF4F6F8));
    QFont font = painter.font();
    font.setPixelSize(std::clamp(area.height() / 5, 8, 22));
    const QRect inner = area.adjusted(2, 2, -2, -2);
    if (const int wide = QFontMetrics(font).horizontalAdvance(remark); wide > inner.width())
        font.setPixelSize(std::max(7, font.pixelSize() * inner.width() / wide));
    painter.setFont(font);
    const QFontMetrics metrics(font);
    if (!remark.isEmpty())
        lines << remark;
    QStringList shown;
    for (const QString& line : lines) {
        const bool isBrief = shown.isEmpty() && metrics.horizontalAdvance(line) > inner.width();
        shown << metrics.elidedText(isBrief ? briefId(line) : line, shown.isEmpty() ? Qt::ElideMiddle : Qt::ElideRight,
                                    inner.width());
    }
    painter.drawText(inner, Qt::AlignCenter, shown.join(QLatin1Char('\n')));
}

} // namespace

QImage imageOf(std::span<const std::uint8_t> pixels, std::size_t height, std::size_t width, std::size_t channels) {
    QImage image(static_cast<int>(width), static_cast<int>(height), formatOf(channels));
    const std::size_t line = width * channels;
    for (std::size_t y = 0; y < height; ++y) // QImage pads its lines to four bytes
        std::memcpy(image.scanLine(static_cast<int>(y)), pixels.data() + y * line, line);
    return image;
}

QImage sampleImage(const EmbeddingSet& set, std::size_t row) {
    const ImageStore* store = set.images();
    if (!store || store->bytesPerImage() == 0 || store->isMissing(row))
        return {};
    // A copy of a picture in a file; one in memory is looked at where it is.
    const std::vector<std::uint8_t> read = store->isInMemory() ? std::vector<std::uint8_t>() : store->pixels(row);
    if (!store->isInMemory() && read.empty())
        return {};
    const std::span<const std::uint8_t> pixels = store->isInMemory() ? store->image(row) : std::span(read);
    if (isTransparent(pixels, store->channels()))
        return {};
    return imageOf(pixels, store->height(), store->width(), store->channels());
}

QImage fitted(const QImage& image, int pixels) {
    if (image.isNull())
        return {};
    const bool enlarge = image.width() < pixels && image.height() < pixels;
    return image.scaled(pixels, pixels, Qt::KeepAspectRatio,
                        enlarge ? Qt::FastTransformation : Qt::SmoothTransformation);
}

ThumbnailCache::ThumbnailCache(qsizetype capacityBytes) : pixmaps_(capacityBytes) {}

ThumbnailCache::ThumbnailCache(Load load, qsizetype capacityBytes) : load_(std::move(load)), pixmaps_(capacityBytes) {}

void ThumbnailCache::setAudit(std::shared_ptr<const AuditResult> audit) {
    if (audit == audit_)
        return;
    audit_ = std::move(audit);
    pixmaps_.clear();
    tiles_.clear();
    standards_.reset();
    // What is being read for the audit before will be ignored: views must request it again, even where a model more
    // makes no difference to what they show.
    emit arrived();
}

bool ThumbnailCache::contains(SampleId id) const noexcept {
    if (!audit_ || (!isReal(id.set) && modelIndex(id.set) >= audit_->models.size()))
        return false;
    return id.row < audit_->setOf(id.set).rows();
}

QPixmap ThumbnailCache::thumbnail(SampleId id, int edge, qreal devicePixelRatio) {
    if (!contains(id) || edge <= 0)
        return {};
    const int pixels = devicePixels(edge, devicePixelRatio);
    const EmbeddingSet& set = audit_->setOf(id.set);
    if (!set.images() || set.images()->isMissing(id.row))
        return {};
    QPixmap result;
    if (const QPixmap* held = pixmaps_.object({id, pixels})) {
        result = *held;
    } else if (load_ && !set.images()->isInMemory()) {
        load_(audit_, id, pixels);
        return {};
    } else {
        const QImage image = fitted(sampleImage(set, id.row), pixels);
        if (image.isNull())
            return {};
        ++decoded_;
        result = QPixmap::fromImage(image);
        keep({id, pixels}, result);
    }
    result.setDevicePixelRatio(devicePixelRatio);
    return result;
}

bool ThumbnailCache::isBeingRead(SampleId id, int devicePixels) const {
    const ImageStore& images = *audit_->setOf(id.set).images();
    return load_ && !images.isInMemory() && !images.isMissing(id.row) && !pixmaps_.contains({id, devicePixels});
}

void ThumbnailCache::keep(const Key& key, const QPixmap& picture) {
    // Missing pictures are cached, too, and take a little memory.
    const auto cost = std::max<qsizetype>(64, static_cast<qsizetype>(picture.width()) * picture.height() * 4);
    pixmaps_.insert(key, new QPixmap(picture), cost);
}

void ThumbnailCache::take(const std::shared_ptr<const AuditResult>& audit, SampleId id, int devicePixels,
                          const QImage& picture) {
    if (audit != audit_)
        return;
    ++decoded_;
    keep({id, devicePixels}, QPixmap::fromImage(picture));
    emit arrived();
}

const TableTile& ThumbnailCache::tableTileOf(SampleId id) {
    if (const TableTile* held = tiles_.object({id, 0}))
        return *held;
    if (!standards_)
        standards_ = featureStandards(*audit_);
    auto* made = new TableTile(tableTile(*audit_, *standards_, id));
    tiles_.insert({id, 0}, made);
    return *made;
}

void ThumbnailCache::paint(QPainter& painter, const QRect& area, SampleId id, const QPalette& palette,
                           const QColor& tint) {
    if (!contains(id))
        return;
    painter.save();
    const int edge = std::min(area.width(), area.height());
    const QPixmap picture = thumbnail(id, edge, painter.device()->devicePixelRatioF());
    if (picture.isNull() && isTable(*audit_) && !tableTileOf(id).values.empty()) {
        paintTableTile(painter, area, tableTileOf(id), palette);
    } else if (picture.isNull()) {
        const QColor back = tint.isValid() ? tint : palette.color(QPalette::AlternateBase);
        const EmbeddingSet& set = audit_->setOf(id.set);
        QString remark;
        if (set.images() && !isBeingRead(id, devicePixels(edge, painter.device()->devicePixelRatioF())))
            remark = tr("no picture");
        paintTile(painter, area, tileLines(set, id.row), remark, back);
    } else {
        const QSizeF size = picture.deviceIndependentSize();
        painter.drawPixmap(QPointF(area.left() + (area.width() - size.width()) / 2.0,
                                   area.top() + (area.height() - size.height()) / 2.0),
                           picture);
    }
    painter.restore();
}

} // namespace assay

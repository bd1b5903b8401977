#pragma once

#include "engine/audit/result/audit_result.h"

#include <QCache>
#include <QImage>
#include <QObject>
#include <QPixmap>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

class QPainter;
class QPalette;
class QRect;

namespace assay {

/// Pixels as ImageStore holds them, as a picture. @param channels 1, 3 or 4
QImage imageOf(std::span<const std::uint8_t> pixels, std::size_t height, std::size_t width, std::size_t channels);

/// The picture of a sample as it is stored: grey, RGB or RGBA. Null when it has none.
QImage sampleImage(const EmbeddingSet& set, std::size_t row);

/// A picture scaled into a square of so many pixels, its aspect kept. Tiny ones are enlarged pixel by pixel, so that
/// one sees what the generator made; large ones are reduced smoothly. For any thread.
QImage fitted(const QImage& image, int pixels);

/// Pictures of samples, scaled to the size they are painted in and kept while they are in use; one for all views.
///
/// Pictures in memory are scaled at once. Those in a file are requested, painted as tiles meanwhile, and arrived() says
/// when to paint again.
class ThumbnailCache : public QObject {
    Q_OBJECT

public:
    /// Has a picture of a file read, scaled and given to take(), as soon as possible; called again while the picture is
    /// missing.
    using Load = std::function<void(const std::shared_ptr<const AuditResult>& audit, SampleId id, int devicePixels)>;

    explicit ThumbnailCache(Load load, qsizetype capacityBytes = kCapacity);
    /// @param capacityBytes most pixel memory to hold; the longest unused picture goes first
    explicit ThumbnailCache(qsizetype capacityBytes = kCapacity);

    /// Sets the audit whose samples are painted; a change empties the cache.
    void setAudit(std::shared_ptr<const AuditResult> audit);
    const AuditResult* audit() const noexcept { return audit_.get(); }

    /// Whether the sample exists in the audit.
    bool contains(SampleId id) const noexcept;

    /// The sample's picture fitted into `edge` x `edge` logical pixels at a device pixel ratio, aspect kept.
    /// Null when its set has no pictures.
    QPixmap thumbnail(SampleId id, int edge, qreal devicePixelRatio);

    /// Paints the sample centred into `area`: its picture, else a tile with its id and class, and that it has none
    /// where others of its set do.
    /// @param tint colour of a tile, usually that of its score; invalid for neutral
    void paint(QPainter& painter, const QRect& area, SampleId id, const QPalette& palette, const QColor& tint = {});

    /// Receives a picture that was loaded; null if it cannot be read. Ignored if it belongs to another audit.
    void take(const std::shared_ptr<const AuditResult>& audit, SampleId id, int devicePixels, const QImage& picture);

    /// Pictures decoded so far (cache misses).
    qsizetype decoded() const noexcept { return decoded_; }
    qsizetype bytesHeld() const noexcept { return pixmaps_.totalCost(); }

signals:
    /// Pictures have come, or have to be requested again because the audit is another one.
    void arrived();

private:
    static constexpr qsizetype kCapacity = qsizetype(96) << 20;

    struct Key {
        SampleId id;
        int devicePixels;
        friend bool operator==(const Key&, const Key&) = default;
        friend size_t qHash(const Key& key, size_t seed) {
            return qHashMulti(seed, std::hash<SampleId>{}(key.id), key.devicePixels);
        }
    };

    bool isBeingRead(SampleId id, int devicePixels) const;
    void keep(const Key& key, const QPixmap& picture);

    Load load_; ///< empty: everything is read at once
    std::shared_ptr<const AuditResult> audit_;
    QCache<Key, QPixmap> pixmaps_;
    qsizetype decoded_ = 0;
};

} // namespace assay

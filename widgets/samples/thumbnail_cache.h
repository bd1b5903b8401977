#pragma once

#include "engine/audit/audit_result.h"

#include <QCache>
#include <QImage>
#include <QPixmap>

#include <memory>

class QPainter;
class QPalette;
class QRect;

namespace assay {

/// The picture of a sample as it is stored: grey, RGB or RGBA. Null when its set has no pictures.
QImage sampleImage(const EmbeddingSet& set, std::size_t row);

/// Pictures of samples, scaled to the size they are painted in and kept while they are in use.
///
/// Tiny pictures are enlarged pixel by pixel, so that one sees what the generator made; large ones are reduced
/// smoothly.
class ThumbnailCache {
public:
    /// @param capacityBytes most pixel memory to hold; the longest unused picture goes first
    explicit ThumbnailCache(qsizetype capacityBytes = qsizetype(96) << 20);

    /// The audit whose samples are asked for; another one than before empties the cache.
    void setAudit(std::shared_ptr<const AuditResult> audit);
    const AuditResult* audit() const noexcept { return audit_.get(); }

    /// Whether the sample exists in the audit.
    bool contains(SampleId id) const noexcept;

    /// The sample's picture fitted into `edge` x `edge` logical pixels at a device pixel ratio, aspect kept.
    /// Null when its set has no pictures.
    QPixmap thumbnail(SampleId id, int edge, qreal devicePixelRatio);

    /// Paints the sample centred into `area`: its picture, else a tile with its id and class.
    /// @param tint colour of a tile, usually that of its score; invalid for neutral
    void paint(QPainter& painter, const QRect& area, SampleId id, const QPalette& palette, const QColor& tint = {});

    /// Pictures decoded so far (cache misses).
    qsizetype decoded() const noexcept { return decoded_; }
    qsizetype bytesHeld() const noexcept { return pixmaps_.totalCost(); }

private:
    struct Key {
        SampleId id;
        int devicePixels;
        friend bool operator==(const Key&, const Key&) = default;
        friend size_t qHash(const Key& key, size_t seed) {
            return qHashMulti(seed, std::hash<SampleId>{}(key.id), key.devicePixels);
        }
    };

    std::shared_ptr<const AuditResult> audit_;
    QCache<Key, QPixmap> pixmaps_;
    qsizetype decoded_ = 0;
};

} // namespace assay
